import { toRequestError } from "../../api/request-error.ts";
import { useNow } from "../../dates/use-now.ts";
import { useDebounced } from "../palette/use-debounced.ts";
import { localTimeZone } from "../../dates/local-time-zone.ts";
import { useNextRuns } from "./agent-queries.ts";
import { formatRunTime, formatTimeUntil } from "./describe-schedule.ts";

const TYPING_PAUSE_MS = 200;

interface NextRunsProps {
  readonly schedule: string;
  /** IANA name; null for the server's own time zone. */
  readonly timezone: string | null;
}

/** The next five runs of a schedule, or what is wrong with it. */
export function NextRuns({ schedule, timezone }: NextRunsProps) {
  const settled = useDebounced(schedule, TYPING_PAUSE_MS);
  const { data, error } = useNextRuns(settled, timezone, settled !== "");
  const now = useNow();
  if (error !== null) {
    return (
      <p role="alert" className="text-13 text-danger">
        {formatProblem(toRequestError(error).message)}
      </p>
    );
  }
  if (data === undefined || settled !== schedule)
    return <p className="text-13 text-muted">Calculating the next runs…</p>;
  return (
    <>
      <ol aria-label="Next runs" className="flex flex-col gap-0.5 text-13">
        {data.nextRuns.map((time) => (
          <li key={time} className="flex justify-between gap-3">
            <time dateTime={time} className="tabular text-strong">
              {formatRunTime(time, data.timezone)}
            </time>
            <span className="tabular text-muted">{formatTimeUntil(time, now)}</span>
          </li>
        ))}
      </ol>
      {data.timezone !== localTimeZone() && (
        <p className="mt-1 text-12 text-muted">By the clocks of {data.timezone}.</p>
      )}
    </>
  );
}

/** The server's message for showing below a field: without the field's name, capitalised and with a full stop. */
function formatProblem(message: string): string {
  const [, value, from, to] = /got value (\S+) expected range (\d+)-(\d+)/.exec(message) ?? [];
  if (value !== undefined) return `${value} is out of range: it must be between ${from ?? ""} and ${to ?? ""}.`;
  const text = message.replace(/^schedule:? /, "");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith(".") ? "" : "."}`;
}
