import { useIsAway } from "../../../api/use-is-away.ts";
import { formatCount } from "../../../numbers/number-format.ts";
import { useKeptCount, type KeptCount } from "./kept-ids.ts";

/** While the server is away, says how many notes can be read. */
export function KeptNotice() {
  const isAway = useIsAway();
  const count = useKeptCount(isAway);
  if (count === undefined || count.all === 0) return null;
  return (
    <p role="status" className="shrink-0 border-b border-border px-4 py-2 text-12 text-muted">
      {describeKept(count)}
    </p>
  );
}

/** "All 5,000 notes are kept on this device." */
export function describeKept({ kept, all }: KeptCount): string {
  if (kept < all) return `${formatCount(kept)} of ${formatCount(all)} notes are kept on this device.`;
  return all === 1 ? "The only note is kept on this device." : `All ${formatCount(all)} notes are kept on this device.`;
}
