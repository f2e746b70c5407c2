import { Ban, CircleCheck, CircleX, LoaderCircle, Wallet } from "lucide-react";
import { Badge } from "../../components/badge.tsx";
import { RUN_STATUS_LABELS, RUN_STATUS_TONES, type RunStatus } from "./agent.ts";

const ICONS = {
  running: LoaderCircle,
  success: CircleCheck,
  error: CircleX,
  budget_exceeded: Wallet,
  cancelled: Ban,
} as const satisfies Record<RunStatus, unknown>;

const COLORS: Readonly<Record<RunStatus, string>> = {
  running: "text-info motion-safe:animate-spin",
  success: "text-success",
  error: "text-danger",
  budget_exceeded: "text-warning",
  cancelled: "text-muted",
};

/** The status of a run as an icon, with a text for screen readers. */
export function RunStatusIcon({ status, size = 16 }: { readonly status: RunStatus; readonly size?: number }) {
  const Icon = ICONS[status];
  return (
    <span className="flex shrink-0" data-tooltip={RUN_STATUS_LABELS[status]}>
      <Icon aria-hidden size={size} className={COLORS[status]} />
      <span className="sr-only">{RUN_STATUS_LABELS[status]}</span>
    </span>
  );
}

/** The status of a run as text. */
export function RunStatusBadge({ status }: { readonly status: RunStatus }) {
  return <Badge tone={RUN_STATUS_TONES[status]}>{RUN_STATUS_LABELS[status]}</Badge>;
}
