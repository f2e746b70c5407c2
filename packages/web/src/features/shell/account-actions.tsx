import type { AnyRouter } from "@tanstack/react-router";
import { Keyboard, LockKeyhole, LogOut, Monitor, Moon, Settings, Sun, type LucideIcon } from "lucide-react";
import { toRequestError } from "../../api/request-error.ts";
import { setThemeChoice, THEME_CHOICES, themeChoice, type ThemeChoice } from "../../browser/theme.ts";
import type { Client } from "../../client/client.ts";
import type { MenuItem } from "../../components/floating.ts";
import { toasts } from "../../components/toast.ts";
import { SHORTCUT_KEYS } from "../../shortcuts/shortcut-keys.ts";
import { endSession } from "../auth/change-session.ts";
import { countChanges } from "../outbox/count-changes.ts";
import { outbox } from "../outbox/outbox.ts";
import { dialogs } from "./dialogs.ts";

const THEMES: Readonly<Record<ThemeChoice, { label: string; icon: LucideIcon }>> = {
  system: { label: "System theme", icon: Monitor },
  light: { label: "Light theme", icon: Sun },
  dark: { label: "Dark theme", icon: Moon },
};

/** What concerns the user and the whole dashboard: the account menu, which the palette offers too. */
export function accountActions(client: Client, router: AnyRouter): readonly Exclude<MenuItem, "separator">[] {
  return [
    ...THEME_CHOICES.map((choice) => themeAction(choice, choice === themeChoice())),
    { label: "Settings", icon: <Settings size={16} />, run: () => void router.navigate({ to: "/settings" }) },
    {
      label: "Keyboard shortcuts",
      icon: <Keyboard size={16} />,
      keys: SHORTCUT_KEYS.map[0],
      run: () => dialogs(client).open({ kind: "shortcut-map" }),
    },
    {
      label: "Change password",
      icon: <LockKeyhole size={16} />,
      run: () => dialogs(client).open({ kind: "change-password" }),
    },
    { label: "Sign out", icon: <LogOut size={16} />, run: () => void leave(client, router) },
  ];
}

function themeAction(choice: ThemeChoice, isChosen: boolean): Exclude<MenuItem, "separator"> {
  const { label, icon: Icon } = THEMES[choice];
  return { label, icon: <Icon size={16} />, isChosen, run: () => setThemeChoice(choice) };
}

/** Signs out, unless that would discard changes that have not been sent. */
async function leave(client: Client, router: AnyRouter): Promise<void> {
  const kept = outbox(client);
  await kept.send();
  const count = kept.changes.get().length;
  if (count === 0) return signOut(client, router);
  toasts(client).show({
    message: `${countChanges(count)} ${count === 1 ? "has" : "have"} not been sent`,
    detail: "Signing out would discard what is kept in this browser.",
    tone: "danger",
    action: { label: "Sign out and discard", run: () => void kept.discardAll().then(() => signOut(client, router)) },
  });
}

async function signOut(client: Client, router: AnyRouter): Promise<void> {
  try {
    await endSession(client, router);
  } catch (error) {
    toasts(client).show({ message: "Could not sign out", detail: toRequestError(error).message, tone: "danger" });
  }
}
