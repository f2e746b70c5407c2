import { toRequestError } from "../../api/request-error.ts";
import { useNow } from "../../dates/use-now.ts";
import { useDebounced } from "../palette/use-debounced.ts";
import { ownTimeZone } from "../../dates/own-time-zone.ts";
import { useNextRuns } from "./agent-queries.ts";
import { sayRunTime, sayUntil } from "./schedule-wording.ts";

const TYPING_PAUSE_MS = 200;

interface NextRunsProps {
  readonly schedule: string;
  /** IANA name; null is the server's own. */
  readonly timezone: string | null;
}

/** The next five times of a schedule, or what is wrong with it. */
export function NextRuns({ schedule, timezone }: NextRunsProps) {
  const settled = useDebounced(schedule, TYPING_PAUSE_MS);
  const { data, error } = useNextRuns(settled, timezone, settled !== "");
  const now = useNow();
  if (error !== null) {
    return (
      <p role="alert" className="text-13 text-danger">
        {sayProblem(toRequestError(error).message)}
      </p>
    );
  }
  if (data === undefined || settled !== schedule)
    return <p className="text-13 text-muted">Working out when that is…</p>;
  return (
    <>
      <ol aria-label="Next runs" className="flex flex-col gap-0.5 text-13">
        {data.nextRuns.map((time) => (
          <li key={time} className="flex justify-between gap-3">
            <time dateTime={time} className="tabular text-strong">
              {sayRunTime(time, data.timezone)}
            </time>
            <span className="tabular text-muted">{sayUntil(time, now)}</span>
          </li>
        ))}
      </ol>
      {data.timezone !== ownTimeZone() && <p className="mt-1 text-12 text-muted">By the clocks of {data.timezone}.</p>}
    </>
  );
}

/** The server's sentence as it stands below a field: without the field's name, with a capital letter and a full stop. */
function sayProblem(message: string): string {
  const [, value, from, to] = /got value (\S+) expected range (\d+)-(\d+)/.exec(message) ?? [];
  if (value !== undefined) return `${value} cannot stand there: it must be from ${from ?? ""} to ${to ?? ""}.`;
  const text = message.replace(/^schedule:? /, "");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith(".") ? "" : "."}`;
}
