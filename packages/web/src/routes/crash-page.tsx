import { Link, useRouter } from "@tanstack/react-router";
import { CircleAlert, Compass, Unplug } from "lucide-react";
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
  if (error instanceof RequestError) {
    return (
      <main className="flex h-full flex-col justify-center">
        <EmptyState
          icon={<Unplug size={20} />}
          title="Workspace is unreachable"
          action={
            <Button tone="primary" onClick={retry}>
              Try again
            </Button>
          }
        >
          {error.message} What you typed is kept in this browser.
        </EmptyState>
      </main>
    );
  }
  return (
    <main className="flex h-full flex-col justify-center">
      <EmptyState
        icon={<CircleAlert size={20} />}
        title="This page has stopped working"
        action={
          <div className="flex gap-2">
            <Button tone="primary" onClick={() => window.location.reload()}>
              Reload the page
            </Button>
            <Button onClick={retry}>Try again</Button>
          </div>
        }
      >
        Your data is safe on the server, and what you typed is kept in this browser. The cause, for a report:{" "}
        <code className="font-mono text-12">{error instanceof Error ? error.message : String(error)}</code>
      </EmptyState>
    </main>
  );
}

export function NotFoundPage() {
  return (
    <main className="flex h-full flex-col justify-center">
      <EmptyState
        level={1}
        icon={<Compass size={20} />}
        title="Page not found"
        action={
          <Link to="/" className="font-medium text-accent-text hover:underline">
            Go to Home
          </Link>
        }
      >
        The address may be mistyped, or the page no longer exists.
      </EmptyState>
    </main>
  );
}
