import { useEffect, type ReactNode } from "react";
import { atBase } from "../../browser/base-path.ts";

interface AuthPageProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly footer?: ReactNode;
}

/** The layout of the pages for signing in and up. */
export function AuthPage({ title, children, footer }: AuthPageProps) {
  useEffect(() => {
    document.title = `${title} · Workspace`;
  }, [title]);
  return (
    <main className="flex h-full flex-col items-center overflow-y-auto px-4 py-[max(24px,12vh)]">
      <div className="flex w-full max-w-92 flex-col wrap-anywhere">
        <img src={atBase("/favicon.svg")} alt="" width={40} height={40} className="mb-5" />
        <h1 className="mb-1 text-20 font-semibold text-strong">{title}</h1>
        {children}
        {footer !== undefined && <p className="mt-6 text-13 text-muted">{footer}</p>}
      </div>
    </main>
  );
}
