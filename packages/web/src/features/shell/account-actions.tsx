import type { AnyRouter } from "@tanstack/react-router";
import { Keyboard, LockKeyhole, LogOut, Monitor, Moon, Settings, Sun, type LucideIcon } from "lucide-react";
import { setThemeChoice, THEME_CHOICES, themeChoice, type ThemeChoice } from "../../browser/theme.ts";
import type { Client } from "../../client/client.ts";
import { loadLater } from "../../client/code-parts.ts";
import type { MenuItem } from "../../components/floating.ts";
import { LOAD_FAILURE } from "../../components/loadable.tsx";
import { toasts } from "../../components/toast.ts";
import { SHORTCUT_KEYS } from "../../shortcuts/shortcut-keys.ts";
import { dialogs } from "./dialogs.ts";

/** It knows the texts being edited, whose code is large. */
const loadSignOut = () => import("./sign-out.ts");
loadLater(loadSignOut);

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
    {
      label: "Sign out",
      icon: <LogOut size={16} />,
      run: () =>
        void loadSignOut().then(
          ({ askAndSignOut }) => askAndSignOut(client, router),
          () => toasts(client).show(LOAD_FAILURE),
        ),
    },
  ];
}

function themeAction(choice: ThemeChoice, isChosen: boolean): Exclude<MenuItem, "separator"> {
  const { label, icon: Icon } = THEMES[choice];
  return { label, icon: <Icon size={16} />, isChosen, run: () => setThemeChoice(choice) };
}
