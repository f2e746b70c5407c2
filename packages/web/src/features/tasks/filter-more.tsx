import { joinParts, partsOf, printFilter, type TaskFilter as Expression } from "@workspace/core/task-filter";
import { Filter, Layers, Save, X } from "lucide-react";
import { useClient } from "../../client/use-client.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { floating } from "../../components/floating.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { useProjects } from "../projects/project-collection.ts";
import { dialogs } from "../shell/dialogs.ts";
import { saveSettings } from "../views/view-actions.ts";
import type { ViewSettings } from "../views/view.ts";
import { useWhere } from "./filter-context.ts";
import { parseOrNull, quickConditions } from "./quick-conditions.ts";
import { FilterExpression } from "./filter-expression.tsx";
import { wordsOfFilter } from "./filter-words.ts";
import { TASK_GROUPS } from "./task-search.ts";
import type { TaskSearchState } from "./use-task-search.ts";

const GROUP_LABELS = {
  status: "Status",
  priority: "Priority",
  project: "Project",
  due: "Due date",
  tag: "First tag",
  assignee: "Person or agent",
} as const;

interface FilterMoreProps {
  readonly search: TaskSearchState;
}

/** The parts of the expression, each of which can be removed, and what changes or saves the whole view. */
export default function FilterMore({ search }: FilterMoreProps) {
  const client = useClient();
  const { where, change, group, view, saved, isChanged } = search;
  const error = useWhere(where)?.error ?? null;
  const parts = partsOf(parseOrNull(where));
  const openExpression = (anchor: HTMLElement) =>
    floating(client).openPopover(anchor, "Filter by an expression", (close) => (
      <FilterExpression initial={where} onApply={(filter) => change({ filter })} onClose={close} />
    ));
  useShortcut("filter", () => {
    const anchor = document.getElementById(BUTTON_ID);
    if (anchor !== null) openExpression(anchor);
  });
  const settings = settingsOf(search);
  return (
    <>
      <Button
        id={BUTTON_ID}
        size="small"
        tone={error === null ? "ghost" : "danger"}
        aria-haspopup="dialog"
        icon={<Filter aria-hidden size={14} />}
        onClick={(event) => openExpression(event.currentTarget)}
      >
        {error === null ? "Add filter" : "The filter cannot be read"}
      </Button>
      {parts.map((part, index) => (
        <PartChip
          key={printFilter(part)}
          part={part}
          onRemove={() => change({ filter: printFilter(joinParts(parts.filter((_, other) => other !== index))) })}
        />
      ))}
      {view === "list" && (
        <Button
          size="small"
          tone={group === "status" ? "ghost" : "accent"}
          className={group === "status" ? "" : "bg-accent-soft"}
          aria-haspopup="menu"
          icon={<Layers aria-hidden size={14} />}
          onClick={(event) =>
            floating(client).openMenu(
              event.currentTarget,
              "Group",
              TASK_GROUPS.map((choice) => ({
                label: GROUP_LABELS[choice],
                isChosen: choice === group,
                run: () => change({ group: choice }),
              })),
            )
          }
        >
          {group === "status" ? "Group" : `Group: ${GROUP_LABELS[group]}`}
        </Button>
      )}
      {saved !== undefined && isChanged && (
        <Button
          size="small"
          tone="accent"
          icon={<Save aria-hidden size={14} />}
          onClick={() => void saveSettings(client, saved, settings).then(search.reset)}
        >
          Save changes
        </Button>
      )}
      {(isChanged || (saved === undefined && isWorthSaving(search))) && (
        <Button
          size="small"
          tone="ghost"
          icon={<Save aria-hidden size={14} />}
          onClick={() => dialogs(client).open({ kind: "new-view", settings })}
        >
          {saved === undefined ? "Save as view" : "Save as a new view"}
        </Button>
      )}
    </>
  );
}

const BUTTON_ID = "filter-expression";

function PartChip({ part, onRemove }: { readonly part: Expression; readonly onRemove: () => void }) {
  const { rows: projects } = useProjects();
  const words = wordsOfFilter(part, projects);
  return (
    <span className="flex h-(--control-height-small) max-w-72 shrink-0 items-center gap-1 rounded-control bg-accent-soft pl-2 text-13 text-accent-text">
      <span className="truncate">{words}</span>
      <IconButton size="small" label={`Remove the filter ${words}`} icon={<X size={14} />} onClick={onRemove} />
    </span>
  );
}

function isWorthSaving({ isFiltering, group, view, order }: TaskSearchState): boolean {
  return isFiltering || group !== "status" || order !== "newest" || (view !== "list" && view !== "board");
}

/** What is shown, as one expression with its layout. */
function settingsOf({ filter, where, view, group, order }: TaskSearchState): ViewSettings {
  const conditions = [parseOrNull(where), ...quickConditions(filter)].filter((part) => part !== null);
  return { filter: printFilter(joinParts(conditions)), layout: view, group, sort: order };
}
