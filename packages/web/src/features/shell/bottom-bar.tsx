import { Link, useNavigate } from "@tanstack/react-router";
import { Ellipsis, Trash2 } from "lucide-react";
import type { MenuItem } from "../../components/floating.ts";
import { RESOURCES } from "../../resources/resources.ts";
import { PAGES } from "../../routes/pages.ts";
import { TODAY } from "./today.ts";
import { useAccountMenu } from "./use-account-menu.ts";

const MAX_ITEMS = 4;
const ITEM =
  "flex h-14 flex-1 flex-col items-center justify-center gap-0.5 text-12 text-muted data-[status=active]:text-accent-text data-[status=active]:font-medium";

/** The phone's navigation bar: four pages, and everything else under “More”. */
export function BottomBar() {
  const navigate = useNavigate();
  const more: readonly MenuItem[] = [
    { label: "Today's note", icon: <RESOURCES.document.icon size={16} />, run: () => void navigate(TODAY) },
    ...PAGES.slice(MAX_ITEMS).map(({ path, title, icon: Icon }) => ({
      label: title,
      icon: <Icon size={16} />,
      run: () => void navigate({ to: path }),
    })),
    { label: "Deleted", icon: <Trash2 size={16} />, run: () => void navigate({ to: "/deleted" }) },
    "separator",
  ];
  const openMenu = useAccountMenu("More", more);
  return (
    <nav aria-label="Main" className="flex border-t border-border bg-background pb-[env(safe-area-inset-bottom)]">
      {PAGES.slice(0, MAX_ITEMS).map(({ path, title, icon: Icon }) => (
        <Link key={path} to={path} activeOptions={{ exact: path === "/", includeSearch: false }} className={ITEM}>
          <Icon aria-hidden size={20} />
          {title}
        </Link>
      ))}
      <button type="button" aria-haspopup="menu" className={ITEM} onClick={(event) => openMenu(event.currentTarget)}>
        <Ellipsis aria-hidden size={20} />
        More
      </button>
    </nav>
  );
}
