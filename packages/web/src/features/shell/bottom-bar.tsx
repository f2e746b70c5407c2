import { Link, useNavigate } from "@tanstack/react-router";
import { Ellipsis, Trash2 } from "lucide-react";
import { openMenu, type MenuItem } from "../../components/anchored.ts";
import { PAGES } from "../../routes/pages.ts";
import { useAccountItems } from "./account-button.tsx";

const PLACES = 4;
const ITEM =
  "flex h-14 flex-1 flex-col items-center justify-center gap-0.5 text-12 text-muted data-[status=active]:text-accent-text data-[status=active]:font-medium";

/** The navigation under the thumb: four places, and everything else under “More”. */
export function BottomBar() {
  const navigate = useNavigate();
  const accountItems = useAccountItems();
  const more: readonly MenuItem[] = [
    ...PAGES.slice(PLACES).map(({ path, label, icon: Icon }) => ({
      label,
      icon: <Icon size={16} />,
      run: () => void navigate({ to: path }),
    })),
    { label: "Deleted tasks", icon: <Trash2 size={16} />, run: () => void navigate({ to: "/tasks/deleted" }) },
    "separator",
    ...accountItems,
  ];
  return (
    <nav aria-label="Main" className="flex border-t border-border bg-background pb-[env(safe-area-inset-bottom)]">
      {PAGES.slice(0, PLACES).map(({ path, label, icon: Icon }) => (
        <Link key={path} to={path} activeOptions={{ exact: path === "/", includeSearch: false }} className={ITEM}>
          <Icon aria-hidden size={20} />
          {label}
        </Link>
      ))}
      <button
        type="button"
        aria-haspopup="menu"
        className={ITEM}
        onClick={(event) => openMenu(event.currentTarget, "More", more)}
      >
        <Ellipsis aria-hidden size={20} />
        More
      </button>
    </nav>
  );
}
