import { Link, useNavigate } from "@tanstack/react-router";
import { Ellipsis, Trash2 } from "lucide-react";
import { useClient } from "../../client/use-client.ts";
import { floating, type MenuItem } from "../../components/floating.ts";
import { PAGES } from "../../routes/pages.ts";
import { useAccountItems } from "./account-button.tsx";

const MAX_ITEMS = 4;
const ITEM =
  "flex h-14 flex-1 flex-col items-center justify-center gap-0.5 text-12 text-muted data-[status=active]:text-accent-text data-[status=active]:font-medium";

/** The phone's navigation bar: four pages, and everything else under “More”. */
export function BottomBar() {
  const client = useClient();
  const navigate = useNavigate();
  const accountItems = useAccountItems();
  const more: readonly MenuItem[] = [
    ...PAGES.slice(MAX_ITEMS).map(({ path, title, icon: Icon }) => ({
      label: title,
      icon: <Icon size={16} />,
      run: () => void navigate({ to: path }),
    })),
    { label: "Deleted tasks", icon: <Trash2 size={16} />, run: () => void navigate({ to: "/tasks/deleted" }) },
    "separator",
    ...accountItems,
  ];
  return (
    <nav aria-label="Main" className="flex border-t border-border bg-background pb-[env(safe-area-inset-bottom)]">
      {PAGES.slice(0, MAX_ITEMS).map(({ path, title, icon: Icon }) => (
        <Link key={path} to={path} activeOptions={{ exact: path === "/", includeSearch: false }} className={ITEM}>
          <Icon aria-hidden size={20} />
          {title}
        </Link>
      ))}
      <button
        type="button"
        aria-haspopup="menu"
        className={ITEM}
        onClick={(event) => floating(client).openMenu(event.currentTarget, "More", more)}
      >
        <Ellipsis aria-hidden size={20} />
        More
      </button>
    </nav>
  );
}
