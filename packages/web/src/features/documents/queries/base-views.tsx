import "../prose.css";
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { useClient } from "../../../client/use-client.ts";
import { Button } from "../../../components/button.tsx";
import { ErrorState, Skeleton } from "../../../components/states.tsx";
import { QueryView } from "./query-blocks.tsx";
import { baseViewsOptions } from "./run-queries.ts";

/** The views of a `.base` file, one at a time, and what of it is not shown. */
export default function BaseViews({ text }: { readonly text: string }) {
  const client = useClient();
  const shown = useDeferredValue(text);
  const { data: views, error, refetch } = useQuery(baseViewsOptions(client, shown));
  const [name, setName] = useState<string | null>(null);
  if (error !== null)
    return <ErrorState title="The views cannot be read" error={error} onRetry={() => void refetch()} />;
  if (views === undefined) return <Skeleton className="h-40" />;
  const view = views.find((one) => one.name === name) ?? views[0];
  if (view === undefined) return <p className="text-muted">There are no views.</p>;
  return (
    <div className="flex flex-col gap-3 pb-24">
      {views.length > 1 && (
        <div role="group" aria-label="View" className="flex flex-wrap gap-1">
          {views.map((one, index) => (
            <Button
              key={`${index} ${one.name}`}
              size="small"
              tone={one === view ? "accent" : "ghost"}
              className={one === view ? "bg-accent-soft" : ""}
              aria-pressed={one === view}
              onClick={() => setName(one.name)}
            >
              {one.name}
            </Button>
          ))}
        </div>
      )}
      {view.query !== null && (
        <div className="prose">
          <section aria-label={view.name} className="query-result">
            <QueryView source={view.query} isSeen />
          </section>
        </div>
      )}
      {view.unsupported.length > 0 && (
        <p className="text-13 text-muted">
          {view.query === null ? "This view cannot be shown here, because of " : "Not shown here: "}
          {view.unsupported.join(", ")}.
        </p>
      )}
    </div>
  );
}
