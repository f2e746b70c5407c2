import { CloudOff } from "lucide-react";
import { useStore } from "../../client/store.ts";
import { useClient } from "../../client/use-client.ts";
import { formatDay, formatTime } from "../../dates/date-format.ts";
import { todayOf } from "../../dates/day.ts";
import { useUnsavedTexts } from "../documents/session/unsaved-texts.ts";
import { countChanges } from "../outbox/count-changes.ts";
import { useKeptChanges } from "../outbox/outbox.ts";
import { taskProgress } from "../tasks/task-collection.ts";

/** Says that the server is unreachable, how old what is shown is, and what is to be sent. */
export function ConnectionBanner() {
  const client = useClient();
  const state = useStore(client.connection);
  const changes = useKeptChanges().filter(({ problem }) => problem === null).length;
  const texts = useUnsavedTexts(state !== "online");
  const unsent = describeUnsent(changes, texts);
  if (state === "online") return <div role="status" />;
  const { readAt, isSettled } = taskProgress(client);
  // While the connection was open, nothing has changed that was not announced.
  const knownAt = isSettled ? Math.max(readAt, client.socket.heardAt) : readAt;
  return (
    <div role="status">
      <p className="animate-fade flex items-center gap-2 border-b border-border bg-warning/10 px-4 py-2 text-13 text-strong max-md:py-1 max-md:text-12">
        <CloudOff aria-hidden size={16} className="shrink-0 text-warning" />
        <span>
          {state === "offline" ? "Offline" : "The server is not responding"}
          {unsent !== "" && `, ${unsent} will be sent`}.{knownAt > 0 && ` You see what was known ${describe(knownAt)}.`}
          {unsent === "" && (
            <span className="max-md:hidden">
              {" "}
              Changes of tasks, projects and notes are kept in this browser until they are sent.
            </span>
          )}
        </span>
      </p>
    </div>
  );
}

/** "3 changes and the texts of 7 notes"; empty if there are none. */
function describeUnsent(changes: number, texts: number): string {
  return [
    ...(changes > 0 ? [countChanges(changes)] : []),
    ...(texts > 0 ? [texts === 1 ? "the text of 1 note" : `the texts of ${texts.toLocaleString("en")} notes`] : []),
  ].join(" and ");
}

/** "at 14:05", "yesterday at 14:05" */
function describe(atMs: number): string {
  const at = new Date(atMs);
  const [day, today] = [todayOf(at), todayOf(new Date())];
  return day === today ? `at ${formatTime(at)}` : `on ${formatDay(day, today)} at ${formatTime(at)}`;
}
