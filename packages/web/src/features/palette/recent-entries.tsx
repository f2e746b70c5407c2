import { useNavigate } from "@tanstack/react-router";
import { ShelfIcon, shelfLabel } from "../shelf/shelf-icon.tsx";
import { isSameItem, useShelf, type ShelfItem } from "../shelf/shelf.ts";
import { useOpenTask } from "../shell/task-panel-url.ts";
import { Entry, Group } from "./palette-parts.tsx";

const MAX_RECENT = 8;

interface RecentEntriesProps {
  readonly run: (action: () => void) => void;
}

/** What was opened last, of whatever kind, and the favourites. */
export function RecentEntries({ run }: RecentEntriesProps) {
  const shelf = useShelf();
  const navigate = useNavigate();
  const openTask = useOpenTask();
  if (shelf === undefined) return null;
  const recent = shelf.recent.slice(0, MAX_RECENT);
  const favourites = shelf.favourites.filter((item) => !recent.some((other) => isSameItem(other, item)));
  const open = ({ kind, id, url }: ShelfItem) => (kind === "task" ? openTask(id) : void navigate({ href: url }));
  return [
    { heading: "Recent", items: recent },
    { heading: "Favourites", items: favourites },
  ].map(
    ({ heading, items }) =>
      items.length > 0 && (
        <Group key={heading} heading={heading}>
          {items.map((item) => (
            <Entry
              key={`${item.kind}-${item.id}`}
              value={`${heading}-${item.kind}-${item.id}`}
              icon={<ShelfIcon item={item} />}
              hint={
                item.path?.includes("/") === true ? item.path.slice(0, item.path.lastIndexOf("/")) : shelfLabel(item)
              }
              onSelect={() => run(() => open(item))}
            >
              {item.title}
            </Entry>
          ))}
        </Group>
      ),
  );
}
