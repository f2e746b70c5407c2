import { clsx } from "clsx";
import type { ReactNode } from "react";

export type BadgeTone = "neutral" | "danger" | "warning" | "success" | "info" | "accent";

const TONES: Readonly<Record<BadgeTone, string>> = {
  neutral: "border-border text-muted",
  danger: "border-danger/30 bg-danger/8 text-danger",
  warning: "border-warning/30 bg-warning/8 text-warning",
  success: "border-success/30 bg-success/8 text-success",
  info: "border-info/30 bg-info/8 text-info",
  accent: "border-accent-text/30 bg-accent-soft text-accent-text",
};

interface BadgeProps {
  readonly tone?: BadgeTone;
  readonly icon?: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A small label beside something: a tag, a state, a count. */
export function Badge({ tone = "neutral", icon, className, children }: BadgeProps) {
  return (
    <span
      className={clsx(
        "inline-flex h-5 max-w-40 min-w-0 items-center gap-1 rounded-full border px-2 text-12 whitespace-nowrap",
        TONES[tone],
        className,
      )}
    >
      {icon}
      <span className="truncate">{children}</span>
    </span>
  );
}
