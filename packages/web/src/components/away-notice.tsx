import type { ReactNode } from "react";
import { useIsAway } from "../api/use-is-away.ts";

/** Says what cannot be done while the server is away. Nothing while it responds. */
export function AwayNotice({
  children,
  className = "",
}: {
  readonly children: ReactNode;
  readonly className?: string;
}) {
  if (!useIsAway()) return null;
  return (
    <p role="status" className={`text-13 text-muted ${className}`}>
      {children}
    </p>
  );
}
