import { Link } from "@tanstack/react-router";
import { Trash2, X } from "lucide-react";
import { useMemo } from "react";
import { Button } from "../../components/button.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { FilterButton } from "../../lists/filter-button.tsx";
import { TextFilter } from "../../lists/text-filter.tsx";
import { countNeedingAttention, isFiltering, NO_PROJECT_PATH } from "./memory-filter.ts";
import { CHUNK_TYPE_LABELS, projectNameOf, formatRelevance } from "./memory.ts";
import type { MemoryListing } from "./use-memory-listing.ts";

const FORGOTTEN: Record<string, string> = { kind: "memory" };

const pickers = () => import("./memory-filter-pickers.tsx");
const TypeFilter = lazyPart(async () => ({ default: (await pickers()).TypeFilter }));
const ProjectFilter = lazyPart(async () => ({ default: (await pickers()).ProjectFilter }));
const RelevanceFilter = lazyPart(async () => ({ default: (await pickers()).RelevanceFilter }));

/** The filters for the list of memories. */
export function MemoryToolbar({ listing }: { readonly listing: MemoryListing }) {
  const { filter, setFilter, text, setText, clear, memories } = listing;
  const counts = useMemo(() => countNeedingAttention(memories), [memories]);
  return (
    <div className="flex min-h-12 shrink-0 items-start gap-2 border-b border-border py-2.5 pr-4 pl-3 touch:min-h-14 touch:py-2 max-md:px-2">
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-1">
        <TextFilter text={text} isWide onText={setText} />
        <FilterToggle
          label="To review"
          count={counts.awaitingReview}
          isOn={filter.isAwaitingReview}
          onChange={(isAwaitingReview) => setFilter({ ...filter, isAwaitingReview })}
        />
        <FilterButton
          label="Type"
          words={filter.types.map((type) => CHUNK_TYPE_LABELS[type])}
          picker={() => <TypeFilter />}
        />
        <FilterButton label="Project" words={filter.projects.map(formatProject)} picker={() => <ProjectFilter />} />
        <FilterButton
          label="Relevance"
          words={filter.minRelevance === 0 ? [] : [`at least ${formatRelevance(filter.minRelevance)}`]}
          picker={() => <RelevanceFilter />}
        />
        <FilterToggle
          label="May repeat another"
          count={counts.repetitions}
          isOn={filter.isRepetition}
          onChange={(isRepetition) => setFilter({ ...filter, isRepetition })}
        />
        <FilterToggle
          label="Withheld"
          count={counts.withheld}
          isOn={filter.isWithheld}
          onChange={(isWithheld) => setFilter({ ...filter, isWithheld })}
        />
        {(isFiltering(filter) || text !== "") && (
          <Button size="small" tone="ghost" icon={<X aria-hidden size={14} />} onClick={clear}>
            Clear
          </Button>
        )}
      </div>
      <Link
        to="/deleted"
        search={FORGOTTEN}
        className="flex h-(--control-height-small) shrink-0 items-center gap-1.5 rounded-control px-2 text-13 font-medium text-normal hover:bg-hover"
      >
        <Trash2 aria-hidden size={14} />
        <span className="max-md:sr-only">Forgotten</span>
      </Link>
    </div>
  );
}

interface FilterToggleProps {
  readonly label: string;
  readonly count: number;
  readonly isOn: boolean;
  onChange(isOn: boolean): void;
}

/** Hidden if it would find nothing. */
function FilterToggle({ label, count, isOn, onChange }: FilterToggleProps) {
  if (count === 0 && !isOn) return null;
  return (
    <Button
      size="small"
      tone={isOn ? "accent" : "ghost"}
      aria-pressed={isOn}
      className={isOn ? "bg-accent-soft" : ""}
      onClick={() => onChange(!isOn)}
    >
      {label} <span className="tabular font-normal">{count.toLocaleString("en")}</span>
    </Button>
  );
}

function formatProject(path: string): string {
  return path === NO_PROJECT_PATH ? "any" : projectNameOf(path);
}
