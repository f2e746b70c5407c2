import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";

interface ProblemBannerProps {
  /** What is wrong, in one sentence. */
  readonly title: ReactNode;
  /** Buttons for what can be done about it. */
  readonly actions: ReactNode;
  /** Why it is so. */
  readonly children: ReactNode;
}

/** Says above the page what the server does not have although the user made it here. Announced when it appears. */
export function ProblemBanner({ title, actions, children }: ProblemBannerProps) {
  return (
    <div
      role="alert"
      className="animate-fade flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-border bg-danger/8 px-4 py-1.5 text-13 text-strong"
    >
      <CircleAlert aria-hidden size={16} className="shrink-0 text-danger" />
      <p className="min-w-60 flex-1 [overflow-wrap:anywhere] max-md:basis-[85%]">
        <span className="font-medium">{title}</span> {children}
      </p>
      {actions}
    </div>
  );
}
