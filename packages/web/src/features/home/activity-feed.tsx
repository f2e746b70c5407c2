import { useRouter } from "@tanstack/react-router";
import type { MouseEvent } from "react";
import { Instant } from "../../components/instant.tsx";
import { useActivity } from "../../realtime/activity.ts";
import type { ResourceChange } from "../../realtime/resource-changes.ts";
import { addressOf, sayChange } from "./activity-wording.ts";

/** What others change while the page is open: another window, a program, an agent, an assistant. */
export function ActivityFeed() {
  const activity = useActivity();
  return (
    <section aria-label="Activity">
      <h2 className="mb-1 px-2 text-13 font-medium text-strong">Activity</h2>
      {activity.length === 0 ? (
        <p className="px-2 text-13 text-muted">
          What you, your agents and your assistant change appears here as it happens.
        </p>
      ) : (
        <ol aria-live="off" className="overflow-hidden rounded-panel border border-border">
          {activity.map((change) => (
            <Entry key={`${change.resource} ${change.resourceId} ${change.action}`} change={change} />
          ))}
        </ol>
      )}
    </section>
  );
}

function Entry({ change }: { change: ResourceChange }) {
  const { history } = useRouter();
  const href = addressOf(change);
  const open = (event: MouseEvent) => {
    if (href === null || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    history.push(href);
  };
  return (
    <li className="flex min-h-9 items-center gap-3 border-border px-3 text-13 not-last:border-b">
      <span className="w-36 shrink-0 text-muted max-md:w-28">{sayChange(change)}</span>
      {href === null ? (
        <span className="min-w-0 flex-1 truncate">{change.resourceName}</span>
      ) : (
        <a href={href} className="min-w-0 flex-1 truncate text-strong hover:underline" onClick={open}>
          {change.resourceName ?? "Untitled"}
        </a>
      )}
      <span className="shrink-0 text-12 text-muted">
        <Instant timestamp={change.timestamp} />
      </span>
    </li>
  );
}
