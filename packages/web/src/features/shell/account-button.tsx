import { useQuery } from "@tanstack/react-query";
import { useRouter, type AnyRouter } from "@tanstack/react-router";
import { Keyboard, LogOut, Monitor, Moon, Sun, type LucideIcon } from "lucide-react";
import { toRequestError } from "../../api/request-error.ts";
import { sessionQuery } from "../../api/session.ts";
import { setThemeChoice, THEME_CHOICES, useThemeChoice, type ThemeChoice } from "../../browser/theme.ts";
import { openMenu, type MenuItem } from "../../components/anchored.ts";
import { showToast } from "../../components/toast.ts";
import { tooltip } from "../../components/tooltip.ts";
import { endSession } from "../auth/session-end.ts";
import { openDialog } from "./dialogs.ts";

export const THEMES: Readonly<Record<ThemeChoice, { label: string; icon: LucideIcon }>> = {
  system: { label: "Theme of the system", icon: Monitor },
  light: { label: "Light theme", icon: Sun },
  dark: { label: "Dark theme", icon: Moon },
};

/** Who is signed in; opens the theme switch, the shortcut map and the way out. */
export function AccountButton({ isCollapsed }: { readonly isCollapsed: boolean }) {
  const { data: user } = useQuery(sessionQuery);
  const items = useAccountItems();
  const name = user?.name ?? "";
  return (
    <button
      type="button"
      aria-haspopup="menu"
      aria-label={isCollapsed ? `Account of ${name}` : undefined}
      className="flex h-10 items-center gap-2.5 rounded-control px-1.5 text-left hover:bg-hover aria-expanded:bg-hover"
      onClick={(event) => openMenu(event.currentTarget, "Account", items)}
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

/** The entries of the account's menu, for the sidebar and for the phone. */
export function useAccountItems(): readonly MenuItem[] {
  const router = useRouter();
  const theme = useThemeChoice();
  return [
    ...THEME_CHOICES.map((choice) => themeItem(choice, choice === theme)),
    "separator",
    {
      label: "Keyboard shortcuts",
      icon: <Keyboard size={16} />,
      keys: "?",
      run: () => openDialog({ kind: "shortcut-map" }),
    },
    { label: "Sign out", icon: <LogOut size={16} />, run: () => void leave(router) },
  ];
}

function themeItem(choice: ThemeChoice, isChosen: boolean): MenuItem {
  const { label, icon: Icon } = THEMES[choice];
  return { label, icon: <Icon size={16} />, isChosen, run: () => setThemeChoice(choice) };
}

async function leave(router: AnyRouter): Promise<void> {
  try {
    await endSession(router);
  } catch (error) {
    showToast({ message: "Could not sign out", detail: toRequestError(error).message, tone: "danger" });
  }
}

function initialOf(name: string): string {
  return name.trim().charAt(0).toUpperCase() || "?";
}
