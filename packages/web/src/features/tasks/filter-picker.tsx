import { CalendarDays, CircleDashed, Tag } from "lucide-react";
import type { ReactNode } from "react";
import { OptionList } from "../../components/option-list.tsx";
import { ProjectDot } from "../../components/project-dot.tsx";
import { useProjects } from "../projects/project-collection.ts";
import { StatusIcon } from "./status-icon.tsx";
import { useTagsInUse } from "./tags-in-use.ts";
import { DUE_FILTER_LABELS, DUE_FILTERS, NO_PROJECT } from "./task-filter.ts";
import { toggled } from "../../lists/choices.ts";
import { BOARD_STATUSES, STATUS_LABELS } from "./task.ts";
import { useTaskSearch } from "./use-task-search.ts";

export type FilterField = "status" | "project" | "tag" | "due";

/** The options for one part of the filter. Each choice applies immediately; the picker stays open. */
export function FilterPicker({ field }: { readonly field: FilterField }) {
  switch (field) {
    case "status":
      return <StatusFilter />;
    case "project":
      return <ProjectFilter />;
    case "tag":
      return <TagFilter />;
    case "due":
      return <DueFilterList />;
  }
}

function StatusFilter() {
  const { filter, setFilter } = useTaskSearch();
  return (
    <OptionList
      label="Filter by status"
      options={BOARD_STATUSES.map((status) => ({
        value: status,
        label: STATUS_LABELS[status],
        icon: <StatusIcon status={status} />,
      }))}
      chosen={new Set(filter.statuses)}
      onPick={(status) => setFilter({ ...filter, statuses: toggled(filter.statuses, status) })}
    />
  );
}

function ProjectFilter() {
  const { filter, setFilter } = useTaskSearch();
  const { rows: projects } = useProjects();
  const options: { value: string; label: string; icon: ReactNode }[] = [
    { value: NO_PROJECT, label: "No project", icon: <CircleDashed size={16} className="text-muted" /> },
    ...projects.map(({ id, name, color }) => ({ value: id, label: name, icon: <ProjectDot color={color} /> })),
  ];
  return (
    <OptionList
      label="Filter by project"
      options={options}
      chosen={new Set(filter.projectIds)}
      onPick={(id) => setFilter({ ...filter, projectIds: toggled(filter.projectIds, id) })}
    />
  );
}

function TagFilter() {
  const { filter, setFilter } = useTaskSearch();
  const tags = useTagsInUse();
  return (
    <OptionList
      label="Filter by tag"
      options={tags.map((tag) => ({ value: tag, label: tag, icon: <Tag size={16} className="text-muted" /> }))}
      chosen={new Set(filter.tags)}
      onPick={(tag) => setFilter({ ...filter, tags: toggled(filter.tags, tag) })}
    />
  );
}

function DueFilterList() {
  const { filter, setFilter } = useTaskSearch();
  return (
    <OptionList
      label="Filter by due date"
      options={DUE_FILTERS.map((due) => ({
        value: due,
        label: DUE_FILTER_LABELS[due],
        icon: <CalendarDays size={16} className="text-muted" />,
      }))}
      chosen={new Set(filter.due)}
      onPick={(due) => setFilter({ ...filter, due: toggled(filter.due, due) })}
    />
  );
}
