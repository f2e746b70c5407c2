import { clsx } from "clsx";
import type { ReactNode } from "react";

interface StatProps {
  readonly name: string;
  readonly value: string;
  readonly tone?: "neutral" | "danger";
  /** Shown below the value: what it means, or what to do about it. */
  readonly note?: ReactNode;
}

/** One key figure. */
export function Stat({ name, value, tone = "neutral", note }: StatProps) {
  return (
    <div className="flex flex-col gap-0.5 rounded-panel border border-border px-4 py-3">
      <span className="text-13 text-muted">{name}</span>
      <span className="flex flex-wrap items-baseline justify-between gap-x-2">
        <span className={clsx("tabular text-28 font-semibold", tone === "danger" ? "text-danger" : "text-strong")}>
          {value}
        </span>
        <span className="text-13">{note}</span>
      </span>
    </div>
  );
}
