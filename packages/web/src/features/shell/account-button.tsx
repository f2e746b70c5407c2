import { useQuery } from "@tanstack/react-query";
import { sessionQuery } from "../../api/session.ts";
import { useClient } from "../../client/use-client.ts";
import { tooltip } from "../../components/tooltip.ts";
import { useAccountMenu } from "./use-account-menu.ts";

/** Shows who is signed in; opens a menu with the theme, the keyboard shortcuts, the password and sign-out. */
export function AccountButton({ isCollapsed }: { readonly isCollapsed: boolean }) {
  const client = useClient();
  const { data: user } = useQuery(sessionQuery(client));
  const openMenu = useAccountMenu("Account");
  const name = user?.name ?? "";
  return (
    <button
      type="button"
      aria-haspopup="menu"
      aria-label={isCollapsed ? `Account: ${name}` : undefined}
      className="flex h-10 items-center gap-2.5 rounded-control px-1.5 text-left hover:bg-hover aria-expanded:bg-hover"
      onClick={(event) => openMenu(event.currentTarget)}
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

function initialOf(name: string): string {
  return name.trim().charAt(0).toUpperCase() || "?";
}
