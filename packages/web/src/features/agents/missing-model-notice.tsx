import { Link } from "@tanstack/react-router";
import { TriangleAlert } from "lucide-react";
import { useMissingModel } from "./missing-model.ts";

/** Says that nothing can run yet, and which settings are missing. */
export function MissingModelNotice() {
  const problem = useMissingModel();
  if (problem === null) return null;
  return (
    <p
      role="status"
      className="flex shrink-0 items-center gap-2 border-b border-border bg-warning/8 px-4 py-2 text-13 text-strong"
    >
      <TriangleAlert aria-hidden size={16} className="shrink-0 text-warning" />
      <span>
        {problem} Until then you can create agents, but not run them.{" "}
        <Link to="/settings" className="font-medium text-accent-text hover:underline">
          Choose a model
        </Link>
      </span>
    </p>
  );
}
