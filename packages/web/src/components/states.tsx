import { clsx } from "clsx";
import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { toRequestError } from "../api/request-error.ts";
import { Button } from "./button.tsx";

interface EmptyStateProps {
  readonly icon: ReactNode;
  readonly title: string;
  /** One sentence that explains what belongs here. */
  readonly children: ReactNode;
  /** One button. */
  readonly action?: ReactNode;
  /** 1 if nothing else is on the page. */
  readonly level?: 1 | 2;
}

/** A page or list with nothing in it. */
export function EmptyState({ icon, title, children, action, level = 2 }: EmptyStateProps) {
  const Heading = level === 1 ? "h1" : "h2";
  return (
    <div className="animate-fade mx-auto flex max-w-96 flex-col items-center gap-2 px-6 py-16 text-center">
      <span
        aria-hidden
        className="mb-2 flex size-12 items-center justify-center rounded-panel border border-border bg-surface text-muted"
      >
        {icon}
      </span>
      <Heading className="text-16 font-semibold text-strong">{title}</Heading>
      <p className="text-pretty text-muted">{children}</p>
      {action !== undefined && <div className="mt-3">{action}</div>}
    </div>
  );
}

interface ErrorStateProps {
  readonly title: string;
  readonly error: unknown;
  readonly onRetry?: () => void;
}

/** Says what could not be loaded and why, and offers a retry. */
export function ErrorState({ title, error, onRetry }: ErrorStateProps) {
  return (
    <div role="alert" className="animate-fade mx-auto flex max-w-96 flex-col items-center gap-2 px-6 py-16 text-center">
      <CircleAlert aria-hidden size={24} className="mb-2 text-danger" />
      <h2 className="text-16 font-semibold text-strong">{title}</h2>
      <p className="text-pretty text-muted">{toRequestError(error).message}</p>
      {onRetry !== undefined && (
        <Button className="mt-3" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** Like {@link ErrorState} for a part of something else; while the server is away, only a line. */
export function PartError({
  part,
  error,
  onRetry,
}: {
  readonly part: string;
  readonly error: unknown;
  readonly onRetry: () => void;
}) {
  if (toRequestError(error).kind !== "no-response")
    return <ErrorState title={`${part} could not be loaded`} error={error} onRetry={onRetry} />;
  return (
    <p role="status" className="text-13 text-muted">
      {part} can be shown once the server responds.
    </p>
  );
}

/** A placeholder for something that is loading; give it the shape of the content. */
export function Skeleton({ className }: { readonly className?: string }) {
  return <div aria-hidden className={clsx("animate-skeleton rounded-control bg-pressed", className)} />;
}

const ROW_WIDTHS = ["w-3/5", "w-2/5", "w-1/2", "w-3/4", "w-1/3", "w-3/5", "w-2/5", "w-1/2"];

/** A placeholder for a list of rows. */
export function SkeletonRows() {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col">
      {ROW_WIDTHS.map((width, index) => (
        <div key={index} className="flex h-(--row-height) items-center gap-3 px-4">
          <Skeleton className="size-4 rounded-full" />
          <Skeleton className={clsx("h-3", width)} />
        </div>
      ))}
    </div>
  );
}
