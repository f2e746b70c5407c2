import { clsx } from "clsx";
import type { ReactNode } from "react";

interface FigureProps {
  readonly name: string;
  readonly value: string;
  readonly tone?: "neutral" | "danger";
  /** Below the value: what to do about it, or what it means. */
  readonly note?: ReactNode;
}

/** One number that matters. */
export function Figure({ name, value, tone = "neutral", note }: FigureProps) {
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
