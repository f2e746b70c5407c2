import { foldText } from "../../platform/folded-text.ts";
import { daysOf, OVERDUE, type FilterContext } from "../../platform/filter/filter-days.ts";
import { ME, NONE, OPEN, type FilterOp } from "../../platform/filter/filter.ts";
import type { FilteredTask } from "./filtered-task.ts";
import type { TaskCondition, TaskFilter } from "./task-fields.ts";

type Match = (task: FilteredTask) => boolean;

/**
 * The function that decides whether a task matches, by the same rules as the statement of `filter-sql.ts`; a test compares them.
 * It holds for the day and the instant of the context.
 */
export function matcherOf(filter: TaskFilter | null, context: FilterContext): Match {
  if (filter === null) return () => true;
  if ("and" in filter) {
    const parts = filter.and.map((part) => matcherOf(part, context));
    return (task) => parts.every((matches) => matches(task));
  }
  if ("or" in filter) {
    const parts = filter.or.map((part) => matcherOf(part, context));
    return (task) => parts.some((matches) => matches(task));
  }
  if ("not" in filter) {
    const matches = matcherOf(filter.not, context);
    return (task) => !matches(task);
  }
  return conditionMatcher(filter, context);
}

function conditionMatcher(condition: TaskCondition, context: FilterContext): Match {
  const { field, op, values } = condition;
  const wanted = new Set(values);
  switch (field) {
    case "status": {
      const hasOpen = wanted.has(OPEN);
      return ({ status }) => wanted.has(status) || (hasOpen && status !== "done");
    }
    case "priority": {
      const [value] = values;
      return ({ priority }) => (op === "is" ? wanted.has(String(priority)) : compare(priority, op, Number(value)));
    }
    case "project":
      return ({ projectId }) => wanted.has(projectId ?? NONE);
    case "parent":
      return ({ parentId }) => wanted.has(parentId ?? NONE);
    case "tag":
      return tagMatcher(condition);
    case "assignee":
    case "creator": {
      const ids = new Set(values.map((value) => (value === ME ? (context.me ?? "") : value)));
      return (task) => ids.has(task[field]?.id ?? NONE);
    }
    case "claimed":
      return ({ claim }) => wanted.has(claim !== null && claim.until > context.now ? "yes" : "no");
    case "snoozed":
      return ({ status, snoozedUntil }) =>
        wanted.has(status !== "done" && snoozedUntil !== null && snoozedUntil > context.now ? "yes" : "no");
    case "holder": {
      const matches = textMatcher(condition, (text) => text.toLowerCase());
      return ({ claim }) => matches(claim !== null && claim.until > context.now ? claim.holder : "");
    }
    case "title": {
      const matches = textMatcher(condition, foldText);
      return ({ title }) => matches(title);
    }
    case "description": {
      const matches = textMatcher(condition, foldText);
      return ({ description }) => matches(description ?? "");
    }
    case "text": {
      const texts = values.map(foldText);
      return op === "empty"
        ? (task) => searchTextOf(task) === ""
        : (task) => texts.some((text) => searchTextOf(task).includes(text));
    }
    case "due":
      return dateMatcher(condition, context, ({ dueDate }) => dueDate);
    case "created":
      return dateMatcher(condition, context, ({ createdAt }) => createdAt);
    case "changed":
      return dateMatcher(condition, context, ({ modifiedAt }) => modifiedAt);
    case "completed":
      return dateMatcher(condition, context, ({ completedAt }) => completedAt);
  }
}

function tagMatcher({ op, values }: TaskCondition): Match {
  if (op === "is") {
    const hasNone = values.includes(NONE);
    return ({ tags }) => (hasNone && tags.length === 0) || tags.some((tag) => values.includes(tag));
  }
  const names = values.map((value) => value.toLowerCase());
  const isOne =
    op === "within"
      ? (tag: string) => names.some((name) => tag === name || tag.startsWith(`${name}/`))
      : partMatcher(op, names);
  return ({ tags }) => tags.some((tag) => isOne(tag.toLowerCase()));
}

/** Returns the function that compares a text, which it makes comparable first. */
function textMatcher({ op, values }: TaskCondition, toComparable: (text: string) => string): (text: string) => boolean {
  const matches = partMatcher(op, values.map(toComparable));
  return (text) => matches(toComparable(text));
}

function partMatcher(op: FilterOp, values: readonly string[]): (text: string) => boolean {
  if (op === "empty") return (text) => text === "";
  if (op === "has") return (text) => values.some((value) => text.includes(value));
  if (op === "begins") return (text) => values.some((value) => text.startsWith(value));
  return (text) => values.includes(text);
}

function dateMatcher(
  condition: TaskCondition,
  context: FilterContext,
  dateOf: (task: FilteredTask) => string | null,
): Match {
  const { startOf } = context;
  const matchers = condition.values.map((value): Match => {
    const days = daysOf(condition, value, context);
    const instants = {
      from: days.from === undefined ? undefined : startOf(days.from),
      before: days.before === undefined ? undefined : startOf(days.before),
    };
    const isWithin = (task: FilteredTask): boolean => {
      const date = dateOf(task);
      if (date === null) return false;
      // A plain date is the same day everywhere; an instant is on the day on which it falls where the person is.
      const bounds = date.length === PLAIN_LENGTH ? days : instants;
      return (
        (bounds.from === undefined || date >= bounds.from) && (bounds.before === undefined || date < bounds.before)
      );
    };
    if (value === NONE) return (task) => !isWithin(task);
    return value === OVERDUE ? (task) => task.status !== "done" && isWithin(task) : isWithin;
  });
  return (task) => matchers.some((matches) => matches(task));
}

/** The length of a date without a time. */
export const PLAIN_LENGTH = "2026-12-24".length;

function compare(value: number, op: FilterOp, other: number): boolean {
  if (op === "<") return value < other;
  if (op === "<=") return value <= other;
  return op === ">" ? value > other : value >= other;
}

const searchTexts = new WeakMap<FilteredTask, string>();

/** Tasks do not change in place, so their text is folded once; as the server stores it for its search. */
function searchTextOf(task: FilteredTask): string {
  const known = searchTexts.get(task);
  if (known !== undefined) return known;
  const text = foldText(task.description === null ? task.title : `${task.title}\u001f${task.description}`);
  searchTexts.set(task, text);
  return text;
}
