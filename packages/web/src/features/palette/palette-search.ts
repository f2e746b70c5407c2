import { wordsOf } from "../../lists/text-match.ts";
import { matchesWords } from "../tasks/task-filter.ts";
import type { Task } from "../tasks/task.ts";

const MAX_FOUND = 12;

/**
 * The tasks that match a query: loaded ones that match, then those that only the server found. Open tasks come before done
 * ones; then titles that start with the query, titles that contain its words, and the rest.
 */
export function foundTasks(known: Iterable<Task>, query: string, fromServer: readonly Task[]): Task[] {
  const words = wordsOf(query);
  const start = query.trim().toLowerCase();
  const found = new Map<string, Task>();
  for (const task of known) if (task.deletedAt === null && matchesWords(task, words)) found.set(task.id, task);
  for (const task of fromServer) if (!found.has(task.id) && task.deletedAt === null) found.set(task.id, task);
  const rank = (task: Task) => (task.status === "done" ? 3 : 0) + titleRank(task.title.toLowerCase(), start, words);
  return [...found.values()].toSorted((a, b) => rank(a) - rank(b)).slice(0, MAX_FOUND);
}

function titleRank(title: string, start: string, words: readonly string[]): 0 | 1 | 2 {
  if (title.startsWith(start)) return 0;
  return words.every((word) => title.includes(word)) ? 1 : 2;
}
