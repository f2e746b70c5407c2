import { CircleAlert } from "lucide-react";
import type { QueryResult } from "./run-queries.ts";

interface QueryProblemProps {
  readonly source: string;
  readonly problem: NonNullable<QueryResult["problem"]>;
}

/** What is wrong with a query, and where. */
export function QueryProblemView({ source, problem: { message, hint, line, column } }: QueryProblemProps) {
  const text = source.split("\n")[line - 1] ?? "";
  return (
    <div className="query-problem">
      <p>
        <CircleAlert aria-hidden size={16} />
        <span>
          Line {line}: {message}
          {hint !== null && <span className="query-hint"> {hint}</span>}
        </span>
      </p>
      <pre>
        <code>
          {text.slice(0, column - 1)}
          <mark>{text.slice(column - 1) || " "}</mark>
        </code>
      </pre>
    </div>
  );
}
