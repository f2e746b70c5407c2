import { TimeAgo } from "../../components/time-ago.tsx";
import { ShelfIcon } from "../shelf/shelf-icon.tsx";
import { useShelf } from "../shelf/shelf.ts";
import { HomePart } from "./home-part.tsx";
import { ItemLink } from "./item-link.tsx";

const MAX_RECENT = 6;

/** The notes and chats that were opened last. */
export default function RecentItems() {
  const shelf = useShelf();
  const recent = (shelf?.recent ?? [])
    .filter(({ kind }) => kind === "document" || kind === "conversation")
    .slice(0, MAX_RECENT);
  if (recent.length === 0) return null;
  return (
    <HomePart title="Recent notes and chats">
      <ul aria-label="Recent notes and chats" className="grid gap-2 md:grid-cols-2">
        {recent.map((item) => (
          <li
            key={`${item.kind} ${item.id}`}
            className="flex min-h-10 min-w-0 items-center gap-2.5 rounded-control border border-border px-3 text-13 text-muted"
          >
            <ShelfIcon item={item} />
            <ItemLink href={item.url} className="min-w-0 flex-1 truncate text-strong">
              {item.title}
            </ItemLink>
            {item.openedAt !== null && (
              <span className="shrink-0 text-12">
                <TimeAgo timestamp={item.openedAt} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </HomePart>
  );
}
