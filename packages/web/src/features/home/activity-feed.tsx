import { TimeAgo } from "../../components/time-ago.tsx";
import { useStore } from "../../client/store.ts";
import { useClient } from "../../client/use-client.ts";
import { activity } from "../../realtime/activity.ts";
import type { ResourceChange } from "../../resources/resource-change.ts";
import { urlOf, describeChange } from "./activity-text.ts";
import { ItemLink } from "./item-link.tsx";

/** Changes made while the page is open: in another window, or by a program, an agent or an assistant. */
export function ActivityFeed() {
  const changes = useStore(activity(useClient()).changes);
  return (
    <section aria-label="Activity">
      <h2 className="mb-1 px-2 text-13 font-medium text-strong">Activity</h2>
      {changes.length === 0 ? (
        <p className="px-2 text-13 text-muted">
          Changes made by you, your agents and your assistant appear here as they happen.
        </p>
      ) : (
        <ol aria-live="off" className="overflow-hidden rounded-panel border border-border">
          {changes.map((change) => (
            <Entry key={`${change.resource} ${change.resourceId} ${change.action}`} change={change} />
          ))}
        </ol>
      )}
    </section>
  );
}

function Entry({ change }: { change: ResourceChange }) {
  const href = urlOf(change);
  return (
    <li className="flex min-h-9 items-center gap-3 border-border px-3 text-13 not-last:border-b">
      <span className="w-36 shrink-0 text-muted max-md:w-28">{describeChange(change)}</span>
      {href === null ? (
        <span dir="auto" className="min-w-0 flex-1 truncate">
          {change.resourceName}
        </span>
      ) : (
        <ItemLink href={href} className="min-w-0 flex-1 truncate text-strong">
          {change.resourceName ?? "Untitled"}
        </ItemLink>
      )}
      <span className="shrink-0 text-12 text-muted">
        <TimeAgo timestamp={change.timestamp} />
      </span>
    </li>
  );
}
