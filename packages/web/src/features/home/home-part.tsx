import { useId, type ReactNode } from "react";

interface HomePartProps {
  readonly title: string;
  /** Beside the title, for example since when. */
  readonly detail?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A part of the page under a heading. */
export function HomePart({ title, detail, actions, children }: HomePartProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="animate-fade">
      <div className="mb-1 flex min-h-7 items-center gap-2 px-2 text-13">
        <h2 id={id} className="font-medium text-strong">
          {title}
        </h2>
        {detail !== undefined && <span className="min-w-0 flex-1 truncate text-muted">{detail}</span>}
        {actions}
      </div>
      {children}
    </section>
  );
}

/** The rows of a section, within a border. */
export function Rows({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <ul aria-label={label} className="overflow-hidden rounded-panel border border-border">
      {children}
    </ul>
  );
}

export const ROW = "flex min-h-11 items-center gap-3 border-border px-3 py-2 text-13 not-last:border-b";
