import { sayInstant, sayInstantExactly } from "../dates/date-wording.ts";
import { useNow } from "../dates/use-now.ts";

/** How long ago something happened; when exactly, on hover. */
export function Instant({ timestamp }: { readonly timestamp: string }) {
  const now = useNow();
  return (
    <time dateTime={timestamp} data-tooltip={sayInstantExactly(timestamp)}>
      {sayInstant(timestamp, now)}
    </time>
  );
}
