import { useQuery } from "@tanstack/react-query";
import { toRequestError } from "../../api/request-error.ts";
import { useClient } from "../../client/use-client.ts";
import { Skeleton } from "../../components/states.tsx";
import { recallQuery } from "./memory-collection.ts";
import type { Memory } from "./memory.ts";
import { recallFactors, describeRecall, type Recall } from "./describe-recall.ts";

/** Why a memory is, or is not, recalled in a new session in its project. */
export function MemoryRecall({ memory }: { readonly memory: Memory }) {
  const client = useClient();
  const { data: recall, error } = useQuery(recallQuery(client, memory));
  return (
    <section aria-labelledby="memory-recall" className="flex flex-col gap-2 border-t border-border pt-4">
      <h2 id="memory-recall" className="text-13 font-medium text-strong">
        Why it is recalled
      </h2>
      {recall !== undefined && <Explanation recall={recall} />}
      {recall === undefined && error === null && <Skeleton className="h-16 w-full" />}
      {recall === undefined && error !== null && (
        <p role="alert" className="text-13 text-muted">
          The explanation could not be loaded. {toRequestError(error).message}
        </p>
      )}
    </section>
  );
}

function Explanation({ recall }: { recall: Recall }) {
  return (
    <>
      <p className="text-13 text-pretty">{describeRecall(recall)}</p>
      <dl className="grid grid-cols-[80px_64px_minmax(0,1fr)] items-center gap-x-3 gap-y-1 text-12">
        {recallFactors(recall).map(({ name, share, words }) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd aria-hidden className="h-1.5 overflow-hidden rounded-full bg-pressed">
              <span className="block h-full rounded-full bg-accent" style={{ width: `${share * 100}%` }} />
            </dd>
            <dd className="text-strong">{words}</dd>
          </div>
        ))}
      </dl>
      <p className="text-12 text-muted">
        This results in a score of <span className="tabular text-strong">{recall.score.toFixed(2)}</span>: relevance,
        reduced by age, increased by use, and reduced if sessions were given it in vain.
      </p>
    </>
  );
}
