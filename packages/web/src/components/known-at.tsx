import { TimeAgo } from "./time-ago.tsx";

/** Says how old something is that could not be read again. */
export function KnownAt({ atMs }: { readonly atMs: number }) {
  return (
    <p className="text-12 text-muted">
      As known <TimeAgo timestamp={new Date(atMs).toISOString()} />
    </p>
  );
}
