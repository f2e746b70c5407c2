import { Ban } from "lucide-react";
import { Button } from "../../components/button.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import type { CalendarFeed, FeedContent } from "./calendar-feed.ts";

const SHOWN: Readonly<Record<FeedContent, string>> = { events: "events", tasks: "tasks", both: "events and tasks" };

interface CalendarFeedRowProps {
  readonly feed: CalendarFeed;
  readonly onRevoke: () => void;
}

/** One feed: what it is for, what it shows, and when it was last read. */
export function CalendarFeedRow({ feed, onRevoke }: CalendarFeedRowProps) {
  const { name, hint, project, content, includesDone, lastUsedAt } = feed;
  return (
    <li className="flex items-center gap-3 border-b border-border px-4 py-2 last:border-b-0">
      <div className="flex min-w-0 flex-1 flex-col md:flex-row md:items-center md:gap-4">
        <span className="flex min-w-0 items-baseline gap-2 md:w-64 md:shrink-0">
          <span className="truncate text-strong">{name}</span>
          <span className="shrink-0 font-mono text-12 text-muted">…{hint}</span>
        </span>
        <span className="min-w-0 truncate text-12 text-muted">
          {project?.name ?? "All projects"}, as {SHOWN[content]}
          {includesDone && ", with those done"}
        </span>
      </div>
      <span className="shrink-0 text-12 text-muted max-md:hidden">
        {lastUsedAt === null ? (
          "Never read"
        ) : (
          <>
            Read <TimeAgo timestamp={lastUsedAt} />
          </>
        )}
      </span>
      <Button size="small" tone="ghost" aria-haspopup="dialog" icon={<Ban aria-hidden size={14} />} onClick={onRevoke}>
        <span className="max-md:sr-only">Revoke</span>
        <span className="sr-only"> {name}</span>
      </Button>
    </li>
  );
}
