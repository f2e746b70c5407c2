import { Link } from "@tanstack/react-router";
import { Compass } from "lucide-react";
import { EmptyState } from "../components/states.tsx";

/** Shown at an address that no page has. */
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
