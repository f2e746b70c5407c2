import { CalendarDays } from "lucide-react";
import { clsx } from "clsx";
import { useShowDay } from "../documents/document-url.ts";
import { SHORTCUT_KEYS } from "../../shortcuts/shortcut-keys.ts";
import { SidebarFavourites } from "./sidebar-favourites.tsx";

interface SidebarNotesProps {
  /** The style of links in the sidebar. */
  readonly linkClass: string;
  readonly isCollapsed: boolean;
}

/** Today's note, and the favourites. */
export default function SidebarNotes({ linkClass, isCollapsed }: SidebarNotesProps) {
  const showDay = useShowDay();
  return (
    <>
      <button
        type="button"
        className={clsx(linkClass, "shrink-0 text-left")}
        data-tooltip="Today's note"
        data-tooltip-keys={SHORTCUT_KEYS.today[0]}
        onClick={() => showDay()}
      >
        <CalendarDays aria-hidden size={16} className="shrink-0" />
        <span className={isCollapsed ? "sr-only" : "truncate"}>Today's note</span>
      </button>
      {!isCollapsed && <SidebarFavourites linkClass={linkClass} />}
    </>
  );
}
