import { conditionOf, parseFilter, type TaskField, type TaskFilter as Expression } from "@workspace/core/task-filter";
import { wordsOf } from "../../lists/text-match.ts";
import type { DueFilter, TaskFilter } from "./task-filter.ts";

/** The choices of the filter bar as conditions, by which the server finds the same tasks. All must hold. */
export function quickConditions({ text, statuses, projectIds, tags, due, isSnoozed }: TaskFilter): Expression[] {
  const is = (field: TaskField, values: readonly string[]): Expression[] =>
    values.length === 0 ? [] : [conditionOf(field, "is", values)];
  return [
    ...is("status", statuses),
    ...is("project", projectIds),
    ...is("tag", tags),
    ...(due.length === 0 ? [] : [anyOf(due.map(dueCondition))]),
    ...is("snoozed", isSnoozed ? ["yes"] : []),
    ...wordsOf(text).map(wordCondition),
  ];
}

/** The bar looks for words in projects and tags as well. */
function wordCondition(word: string): Expression {
  return anyOf([
    conditionOf("text", "is", [word]),
    conditionOf("project", "has", [word]),
    conditionOf("tag", "has", [word]),
  ]);
}

/** What is done is never overdue. */
function dueCondition(due: DueFilter): Expression {
  switch (due) {
    case "week":
      return conditionOf("due", "is", ["+1d..+7d"]);
    case "later":
      return anyOf([
        conditionOf("due", "is", ["later"]),
        { and: [conditionOf("due", "<", ["today"]), conditionOf("status", "is", ["done"])] },
      ]);
    case "overdue":
    case "today":
    case "none":
      return conditionOf("due", "is", [due]);
  }
}

function anyOf(parts: readonly Expression[]): Expression {
  const [first] = parts;
  return first !== undefined && parts.length === 1 ? first : { or: parts };
}

/** Null also for an expression that cannot be read. */
export function parseOrNull(where: string): Expression | null {
  try {
    return parseFilter(where);
  } catch {
    return null;
  }
}
