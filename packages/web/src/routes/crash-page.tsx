import { useRouter } from "@tanstack/react-router";
import { CircleAlert } from "lucide-react";
import { RequestError } from "../api/request-error.ts";
import { Button } from "../components/button.tsx";
import { EmptyState } from "../components/states.tsx";

interface CrashPageProps {
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** Shown when a page could not be rendered: says whether the server or the page is at fault, and that data is safe. */
export function CrashPage({ error, onRetry }: CrashPageProps) {
  const router = useRouter();
  const retry = () => {
    onRetry();
    void router.invalidate();
  };
  const isAway = error instanceof RequestError;
  return (
    <main className="flex h-full flex-col justify-center">
      <EmptyState
        icon={<CircleAlert size={20} />}
        title={isAway ? "Workspace is unreachable" : "This page has stopped working"}
        action={
          <div className="flex gap-2">
            {!isAway && (
              <Button tone="primary" onClick={() => window.location.reload()}>
                Reload the page
              </Button>
            )}
            <Button tone={isAway ? "primary" : "secondary"} onClick={retry}>
              Try again
            </Button>
          </div>
        }
      >
        {isAway ? (
          `${error.message} What you typed is kept in this browser.`
        ) : (
          <>
            Your data is safe on the server, and what you typed is kept in this browser. The cause, for a report:{" "}
            <code className="font-mono text-12">{error instanceof Error ? error.message : String(error)}</code>
          </>
        )}
      </EmptyState>
    </main>
  );
}
