import { useQuery } from "@tanstack/react-query";
import { useRouter, type AnyRouter } from "@tanstack/react-router";
import { Keyboard, LockKeyhole, LogOut, Monitor, Moon, Sun, type LucideIcon } from "lucide-react";
import { toRequestError } from "../../api/request-error.ts";
import { sessionQuery } from "../../api/session.ts";
import type { Client } from "../../client/client.ts";
import { useClient } from "../../client/use-client.ts";
import { setThemeChoice, THEME_CHOICES, useThemeChoice, type ThemeChoice } from "../../browser/theme.ts";
import { floating, type MenuItem } from "../../components/floating.ts";
import { tooltip } from "../../components/tooltip.ts";
import { endSession } from "../auth/user-session.ts";
import { toasts } from "../../components/toast.ts";
import { dialogs } from "./dialogs.ts";

export const THEMES: Readonly<Record<ThemeChoice, { label: string; icon: LucideIcon }>> = {
  system: { label: "System theme", icon: Monitor },
  light: { label: "Light theme", icon: Sun },
  dark: { label: "Dark theme", icon: Moon },
};

/** Shows who is signed in; opens a menu with the theme, the keyboard shortcuts, the password and sign-out. */
export function AccountButton({ isCollapsed }: { readonly isCollapsed: boolean }) {
  const client = useClient();
  const { data: user } = useQuery(sessionQuery(client));
  const items = useAccountItems();
  const name = user?.name ?? "";
  return (
    <button
      type="button"
      aria-haspopup="menu"
      aria-label={isCollapsed ? `Account: ${name}` : undefined}
      className="flex h-10 items-center gap-2.5 rounded-control px-1.5 text-left hover:bg-hover aria-expanded:bg-hover"
      onClick={(event) => floating(client).openMenu(event.currentTarget, "Account", items)}
      {...(isCollapsed && tooltip(name))}
    >
      <span
        aria-hidden
        className="flex size-6 shrink-0 items-center justify-center rounded-full bg-accent-soft text-12 font-semibold text-accent-text"
      >
        {initialOf(name)}
      </span>
      {!isCollapsed && <span className="min-w-0 truncate text-strong">{name}</span>}
    </button>
  );
}

/** The items of the account menu, shared by the sidebar and the phone layout. */
export function useAccountItems(): readonly MenuItem[] {
  const client = useClient();
  const router = useRouter();
  const theme = useThemeChoice();
  return [
    ...THEME_CHOICES.map((choice) => themeItem(choice, choice === theme)),
    "separator",
    {
      label: "Keyboard shortcuts",
      icon: <Keyboard size={16} />,
      keys: "?",
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

function themeItem(choice: ThemeChoice, isChosen: boolean): MenuItem {
  const { label, icon: Icon } = THEMES[choice];
  return { label, icon: <Icon size={16} />, isChosen, run: () => setThemeChoice(choice) };
}

async function leave(client: Client, router: AnyRouter): Promise<void> {
  try {
    await endSession(client, router);
  } catch (error) {
    toasts(client).show({ message: "Could not sign out", detail: toRequestError(error).message, tone: "danger" });
  }
}

function initialOf(name: string): string {
  return name.trim().charAt(0).toUpperCase() || "?";
}
