import type { Outputs } from "../../api/api.ts";
import { formatDueDate } from "../../dates/date-format.ts";
import type { Day } from "../../dates/day.ts";
import { lazily } from "../../lib/lazily.ts";
import { describeRepeat } from "./describe-repeat.ts";
import { formatSnooze } from "./snooze-times.ts";
import { isTaskStatus, PRIORITY_LABELS, priorityOf, STATUS_LABELS } from "./task.ts";

export type ActivityEntry = Outputs["tasks"]["activity"]["data"][number];
export type TaskChange = Extract<ActivityEntry, { kind: "change" }>;
export type TaskComment = Extract<ActivityEntry, { kind: "comment" }>;
type FieldChange = TaskChange["changes"][number];
type FieldValue = FieldChange["before"];

interface DescribedIn {
  readonly today: Day;
  /** Null if it is not known. */
  readonly nameOfProject: (id: string) => string | null;
  readonly titleOfTask: (id: string) => string | null;
}

const lists = lazily(() => new Intl.ListFormat("en", { type: "conjunction" }));

/** What somebody has changed, as the rest of a sentence that begins with their name: "set the status to Done". */
export function describeChange(changes: readonly FieldChange[], context: DescribedIn): string {
  const fields = new Map(changes.map((change) => [change.field, change]));
  // A claim and its end set the status, and a due time belongs to its date.
  const told = changes.filter(
    ({ field }) => !(field === "status" && fields.has("claim")) && !(field === "dueTime" && fields.has("dueDate")),
  );
  const time = fields.get("dueTime")?.after;
  return lists().format(told.map((change) => describeField(change, typeof time === "string" ? time : null, context)));
}

function describeField({ field, before, after }: FieldChange, time: string | null, context: DescribedIn): string {
  switch (field) {
    case "title":
      return `renamed it from “${textOf(before)}” to “${textOf(after)}”`;
    case "description":
      return describePresence(before, after, "description");
    case "status":
      return `set the status to ${isTaskStatus(after) ? STATUS_LABELS[after] : textOf(after)}`;
    case "priority":
      return `set the priority to ${PRIORITY_LABELS[priorityOf({ priority: Number(after) })]}`;
    case "projectId":
      return after === null
        ? `took it out of ${projectOf(before, context)}`
        : `moved it to ${projectOf(after, context)}`;
    case "dueDate":
      return after === null ? "removed the due date" : `set the due date to ${dueOf(after, time, context)}`;
    case "dueTime":
      return after === null ? "removed the due time" : `set the due time to ${textOf(after).replace(/^0/, "")}`;
    case "tags":
      return describeDifference(namesOf(before), namesOf(after), ["added", "removed"], "tag");
    case "parentId":
      return after === null
        ? `took it out of ${taskOf(before, context)}`
        : `made it a subtask of ${taskOf(after, context)}`;
    case "repeat":
      return typeof after === "string" ? `had it repeat ${describeRepeat(after, context)}` : "had it repeat no more";
    case "repeatFrom":
      return after === "completion" ? "had it repeat from when it is done" : "had it repeat from its due date";
    case "repeatTimezone":
      return after === null ? "took its time zone away" : `set its time zone to ${textOf(after)}`;
    case "snoozedUntil":
      return typeof after === "string"
        ? `snoozed it until ${lowered(formatSnooze(after, context.today))}`
        : "ended its snooze";
    case "assignee":
      return after === null ? "handed it to everybody" : `handed it to ${nameOf(after)}`;
    case "deletedAt":
      return after === null ? "restored it" : "deleted it";
    case "claim":
      return after === null ? "released it" : before === null ? "claimed it" : `claimed it after ${textOf(before)}`;
    case "handoverNote":
      return `left the note “${textOf(after)}”`;
    case "blockedBy":
      return describeDifference(namesOf(before), namesOf(after), ["made it wait for", "no longer has it wait for"]);
    case "relatesTo":
      return describeDifference(namesOf(before), namesOf(after), ["related it to", "no longer relates it to"]);
    case "links":
      return describeDifference(namesOf(before), namesOf(after), ["linked it to", "removed the link to"]);
    case "checklist":
      return describeItems(itemsOf(before), itemsOf(after));
  }
}

function describePresence(before: FieldValue, after: FieldValue, what: string): string {
  if (after === null) return `removed the ${what}`;
  return before === null ? `added a ${what}` : `changed the ${what}`;
}

function describeDifference(
  before: readonly string[],
  after: readonly string[],
  [added, removed]: readonly [string, string],
  noun?: string,
): string {
  const part = (verb: string, names: readonly string[]) => {
    if (names.length === 0) return [];
    const quoted = lists().format(names.map((name) => `“${name}”`));
    return [
      noun === undefined ? `${verb} ${quoted}` : `${verb} the ${names.length === 1 ? noun : `${noun}s`} ${quoted}`,
    ];
  };
  const parts = [
    ...part(
      added,
      after.filter((name) => !before.includes(name)),
    ),
    ...part(
      removed,
      before.filter((name) => !after.includes(name)),
    ),
  ];
  return parts.length === 0 ? `changed the order of the ${noun ?? "task"}s` : lists().format(parts);
}

interface Item {
  readonly id: string;
  readonly title: string;
  readonly isDone: boolean;
}

function itemsOf(value: FieldValue): Item[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item) => (typeof item === "string" ? [] : [{ ...item, isDone: item.isDone === true }]));
}

/** Items of the checklist that were added, removed, ticked, renamed or moved. */
function describeItems(before: readonly Item[], after: readonly Item[]): string {
  const was = new Map(before.map((item) => [item.id, item]));
  const is = new Map(after.map((item) => [item.id, item]));
  const kept = after.filter(({ id }) => was.has(id));
  const part = (verb: string, items: readonly Item[]) => {
    const [first] = items;
    if (first === undefined) return [];
    return [items.length === 1 ? `${verb} “${first.title}”` : `${verb} ${items.length} items`];
  };
  const parts = [
    ...part(
      "added to the checklist",
      after.filter(({ id }) => !was.has(id)),
    ),
    ...part(
      "removed from the checklist",
      before.filter(({ id }) => !is.has(id)),
    ),
    ...part(
      "ticked",
      kept.filter(({ id, isDone }) => isDone && was.get(id)?.isDone === false),
    ),
    ...part(
      "unticked",
      kept.filter(({ id, isDone }) => !isDone && was.get(id)?.isDone === true),
    ),
    ...part(
      "renamed in the checklist",
      kept.filter(({ id, title }) => was.get(id)?.title !== title),
    ),
  ];
  return parts.length === 0 ? "changed the order of the checklist" : lists().format(parts);
}

function namesOf(value: FieldValue): string[] {
  return Array.isArray(value) ? value.map((item) => (typeof item === "string" ? item : item.title)) : [];
}

function nameOf(value: FieldValue): string {
  return value !== null && typeof value === "object" && "name" in value ? value.name : "";
}

function textOf(value: FieldValue): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function projectOf(value: FieldValue, { nameOfProject }: DescribedIn): string {
  const name = nameOfProject(textOf(value));
  return name === null ? "a project that was deleted" : `the project “${name}”`;
}

function taskOf(value: FieldValue, { titleOfTask }: DescribedIn): string {
  const title = titleOfTask(textOf(value));
  return title === null ? "another task" : `“${title}”`;
}

function dueOf(value: FieldValue, time: string | null, { today }: DescribedIn): string {
  return lowered(formatDueDate(textOf(value), today, time));
}

function lowered(text: string): string {
  return /^(Today|Tomorrow|Yesterday)/.test(text) ? text.toLowerCase() : text;
}
