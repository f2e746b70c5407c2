import { Brain, ChevronRight } from "lucide-react";
import { pluralize } from "../../numbers/number-format.ts";
import { GivenMemories } from "./given-memories.tsx";
import { SessionArticle, type RowPlace } from "./session-article.tsx";
import type { HookSession } from "./use-hook-session.ts";

interface GivenRowProps {
  readonly place: RowPlace;
  readonly given: HookSession["given"];
  readonly isUnfolded: boolean;
}

/** The memories that the assistant was given with a prompt. */
export function GivenRow({ place, given, isUnfolded }: GivenRowProps) {
  const used = given.filter(({ usedAt }) => usedAt !== null).length;
  const title = `${pluralize(given.length, "memory", "memories")} given${used > 0 ? `, ${used} used` : ""}`;
  return (
    <SessionArticle {...place} label={title} className="pr-4 pl-10 max-md:pr-3 max-md:pl-5">
      <button
        type="button"
        aria-expanded={isUnfolded}
        tabIndex={-1}
        className="flex min-h-8 items-center gap-2 text-13 text-muted hover:text-strong touch:min-h-11"
        onClick={() => place.cursor.actions.open(place.rowId)}
      >
        <Brain aria-hidden size={14} className="shrink-0" />
        {title}
        <ChevronRight aria-hidden size={14} className={isUnfolded ? "rotate-90" : ""} />
      </button>
      {isUnfolded && (
        <div className="pb-2 pl-6">
          <GivenMemories given={given} />
        </div>
      )}
    </SessionArticle>
  );
}
