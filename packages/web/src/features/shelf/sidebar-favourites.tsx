import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { Star } from "lucide-react";
import { useState, type DragEvent, type KeyboardEvent } from "react";
import { useClient } from "../../client/use-client.ts";
import { contextMenuPlace } from "../../components/context-menu.ts";
import { floating, type PopupAnchor } from "../../components/floating.ts";
import { ShelfIcon } from "./shelf-icon.tsx";
import { isSameItem, putFavourite, removeFavourite, useShelf, type ShelfItem } from "./shelf.ts";

const TYPE = "application/x-workspace-favourite";

interface SidebarFavouritesProps {
  /** The style of links in the sidebar. */
  readonly linkClass: string;
}

/** The favourites: ordered by dragging, or with Alt and an arrow key. */
export function SidebarFavourites({ linkClass }: SidebarFavouritesProps) {
  const client = useClient();
  const favourites = useShelf()?.favourites ?? [];
  const [dragged, setDragged] = useState<ShelfItem | null>(null);
  const [over, setOver] = useState<number | null>(null);
  if (favourites.length === 0) return null;

  const place = (item: ShelfItem, index: number) => {
    const others = favourites.filter((other) => !isSameItem(other, item));
    void putFavourite(client, item, others[index]);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    if (dragged !== null && over !== null) {
      const from = favourites.findIndex((other) => isSameItem(other, dragged));
      place(dragged, over > from ? over - 1 : over);
    }
    setDragged(null);
    setOver(null);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>, item: ShelfItem, index: number) => {
    const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
    const next = index + step;
    if (!event.altKey || step === 0 || next < 0 || next >= favourites.length) return;
    event.preventDefault();
    event.stopPropagation();
    place(item, next);
  };
  const openMenu = (place: HTMLElement | PopupAnchor, item: ShelfItem) =>
    floating(client).openMenu(place, item.title, [
      { label: "Remove from favourites", icon: <Star size={16} />, run: () => void removeFavourite(client, item) },
    ]);
  return (
    <section aria-labelledby="sidebar-favourites" className="flex max-h-[40%] min-h-0 shrink-0 flex-col">
      <h2 id="sidebar-favourites" className="flex h-7 items-center pl-2 text-12 font-medium text-muted">
        Favourites
      </h2>
      <ul
        className="-mx-2 flex min-h-0 flex-col overflow-y-auto px-2"
        onDragOver={(event) => {
          if (dragged !== null) event.preventDefault();
        }}
        onDrop={drop}
      >
        {favourites.map((item, index) => (
          <li
            key={`${item.kind} ${item.id}`}
            className={clsx(
              "relative",
              over === index && "before:absolute before:inset-x-2 before:-top-px before:h-0.5 before:bg-accent",
              over === favourites.length &&
                index === favourites.length - 1 &&
                "after:absolute after:inset-x-2 after:-bottom-px after:h-0.5 after:bg-accent",
            )}
            onDragOver={(event) => {
              const { top, height } = event.currentTarget.getBoundingClientRect();
              if (dragged !== null) setOver(event.clientY > top + height / 2 ? index + 1 : index);
            }}
          >
            <Link
              to={item.url}
              draggable
              activeOptions={{ includeSearch: true }}
              className={linkClass}
              aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
              data-tooltip={item.path ?? item.title}
              onKeyDown={(event) => onKeyDown(event, item, index)}
              onContextMenu={(event) => {
                const place = contextMenuPlace(event);
                if (place !== null) openMenu(place, item);
              }}
              onDragStart={(event) => {
                event.dataTransfer.setData(TYPE, item.id);
                event.dataTransfer.effectAllowed = "move";
                setDragged(item);
              }}
              onDragEnd={() => {
                setDragged(null);
                setOver(null);
              }}
            >
              <span className="flex w-4 shrink-0 justify-center">
                <ShelfIcon item={item} />
              </span>
              <span dir="auto" className="min-w-0 flex-1 truncate">
                {item.title}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
