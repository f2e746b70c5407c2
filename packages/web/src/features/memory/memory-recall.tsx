import { useQuery } from "@tanstack/react-query";
import { toRequestError } from "../../api/request-error.ts";
import { Skeleton } from "../../components/states.tsx";
import { recallQuery } from "./memory-collection.ts";
import type { Memory } from "./memory.ts";
import { recallFactors, sayRecall, type Recall } from "./recall-wording.ts";

/** Why a new session in the memory's project is told of it, or is not. */
export function MemoryRecall({ memory }: { readonly memory: Memory }) {
  const { data: recall, error } = useQuery(recallQuery(memory));
  return (
    <section aria-labelledby="memory-recall" className="flex flex-col gap-2 border-t border-border pt-4">
      <h3 id="memory-recall" className="text-13 font-medium text-strong">
        Why it is recalled
      </h3>
      {recall !== undefined && <Explanation recall={recall} />}
      {recall === undefined && error === null && <Skeleton className="h-16 w-full" />}
      {recall === undefined && error !== null && (
        <p role="alert" className="text-13 text-muted">
          This could not be worked out. {toRequestError(error).message}
        </p>
      )}
    </section>
  );
}

function Explanation({ recall }: { recall: Recall }) {
  return (
    <>
      <p className="text-13 text-pretty">{sayRecall(recall)}</p>
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
        Together a score of <span className="tabular text-strong">{recall.score.toFixed(2)}</span>: relevance, lessened
        by age and raised by use.
      </p>
    </>
  );
}
