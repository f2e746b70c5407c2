import { ArrowDownUp, Columns3, List, X } from "lucide-react";
import { Suspense, useEffect, type ReactNode } from "react";
import { writeStored } from "../../browser/stored-value.ts";
import { useClient } from "../../client/use-client.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { loadable } from "../../components/loadable.tsx";
import { Segmented } from "../../components/segmented.tsx";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { FilterButton } from "../../lists/filter-button.tsx";
import { TextFilter } from "../../lists/text-filter.tsx";
import { useProjects } from "../projects/project-collection.ts";
import { DUE_FILTER_LABELS, NO_PROJECT } from "./task-filter.ts";
import { TASK_ORDER_LABELS, TASK_ORDERS, type TaskOrder } from "./task-order.ts";
import { STATUS_LABELS } from "./task.ts";
import type { FilterField } from "./filter-picker.tsx";
import type { TaskView } from "./task-search.ts";
import { ORDER_KEY, type TaskSearchState } from "./use-task-search.ts";
import { floating } from "../../components/floating.ts";

const LayoutChoice = lazyPart(() => import("./layout-choice.tsx"));
const FilterMore = lazyPart(() => import("./filter-more.tsx"));
const SnoozedButton = lazyPart(() => import("./snoozed-button.tsx"));

const FilterPicker = loadable(async () => (await import("./filter-picker.tsx")).FilterPicker);

const VIEWS: readonly { readonly value: TaskView; readonly label: string; readonly icon: ReactNode }[] = [
  { value: "list", label: "List", icon: <List size={16} /> },
  { value: "board", label: "Board", icon: <Columns3 size={16} /> },
];

interface FilterBarProps {
  readonly search: TaskSearchState;
  /** The text being typed, before the URL is updated. */
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Whether to offer the project filter; a project's own page does not. */
  readonly hasProject: boolean;
}

/** Filters, sort order and view of the tasks. */
export default function FilterBar({ search, text, onText, hasProject }: FilterBarProps) {
  const { filter, view, setView } = search;
  // A failure is reported when a picker is opened.
  useEffect(() => void FilterPicker.preload().catch(() => undefined), []);
  useShortcut("view", () => setView(view === "list" ? "board" : "list"));
  const isAnyChosen = (search.saved === undefined ? search.isFiltering : search.isChanged) || text !== "";
  const clear = () => {
    onText("");
    search.reset();
  };
  return (
    <div className="flex min-h-12 shrink-0 flex-wrap items-center gap-2 border-b border-border py-1 pr-4 pl-3 max-md:px-2">
      <div className="max-md:flex-1 max-md:[&_input]:w-full">
        <TextFilter text={text} onText={onText} />
      </div>
      {/* On a phone, on a line of their own: beside the text and the views, half of them would be out of sight. */}
      <div className="-my-1 flex min-w-0 flex-1 items-center gap-1 overflow-x-auto mask-r-from-[calc(100%-1.5rem)] py-1 pr-6 [scrollbar-width:none] max-md:order-last max-md:basis-full">
        <TaskFilterButton
          field="status"
          label="Status"
          words={filter.statuses.map((status) => STATUS_LABELS[status])}
        />
        {hasProject && <ProjectFilterButton search={search} />}
        <TaskFilterButton field="tag" label="Tag" words={filter.tags} />
        <TaskFilterButton field="due" label="Due" words={filter.due.map((due) => DUE_FILTER_LABELS[due])} />
        <Suspense>
          <SnoozedButton search={search} />
        </Suspense>
        <Suspense>
          <FilterMore search={search} />
        </Suspense>
        {isAnyChosen && (
          <Button size="small" tone="ghost" icon={<X aria-hidden size={14} />} onClick={clear}>
            {search.saved === undefined ? "Clear" : "Reset"}
          </Button>
        )}
      </div>
      {(view === "list" || view === "board") && <OrderButton search={search} />}
      <Suspense fallback={<Segmented label="View" shortcut="view" value={view} options={VIEWS} onChange={setView} />}>
        <LayoutChoice value={view} onChange={setView} />
      </Suspense>
    </div>
  );
}

interface TaskFilterButtonProps {
  readonly field: FilterField;
  readonly label: string;
  readonly words: readonly string[];
}

function TaskFilterButton({ field, label, words }: TaskFilterButtonProps) {
  return <FilterButton label={label} words={words} picker={() => <FilterPicker field={field} />} />;
}

function ProjectFilterButton({ search }: { search: TaskSearchState }) {
  const { rows: projects } = useProjects();
  const nameOf = (id: string) =>
    id === NO_PROJECT ? "No project" : (projects.find((project) => project.id === id)?.name ?? "Unknown project");
  return <TaskFilterButton field="project" label="Project" words={search.filter.projectIds.map(nameOf)} />;
}

function OrderButton({ search: { order, saved, change } }: { search: TaskSearchState }) {
  const client = useClient();
  const choose = (choice: TaskOrder) => {
    if (saved === undefined) writeStored(ORDER_KEY, choice);
    change({ sort: choice === saved?.settings.sort ? undefined : choice });
  };
  return (
    <IconButton
      size="small"
      label={`Order: ${TASK_ORDER_LABELS[order]}`}
      aria-haspopup="menu"
      icon={<ArrowDownUp size={16} />}
      onClick={(event) =>
        floating(client).openMenu(
          event.currentTarget,
          "Order",
          TASK_ORDERS.map((choice) => ({
            label: TASK_ORDER_LABELS[choice],
            isChosen: choice === order,
            run: () => choose(choice),
          })),
        )
      }
    />
  );
}
