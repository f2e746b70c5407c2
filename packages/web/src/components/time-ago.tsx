import { formatTimeAgo, formatFullTimestamp } from "../dates/date-format.ts";
import { useNow } from "../dates/use-now.ts";

/** How long ago something happened; the exact time is shown on hover. */
export function TimeAgo({ timestamp }: { readonly timestamp: string }) {
  const now = useNow();
  return (
    <time dateTime={timestamp} data-tooltip={formatFullTimestamp(timestamp)}>
      {formatTimeAgo(timestamp, now)}
    </time>
  );
}
