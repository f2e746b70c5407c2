import { wordsOf } from "../../lists/text-match.ts";
import { matchesWords } from "../tasks/task-filter.ts";
import type { Task } from "../tasks/task.ts";

const MAX_FOUND = 12;

/**
 * The tasks that match a query, whether they are loaded or only the server found them. Those whose title is the query come
 * first; then open tasks before done ones: titles that start with the query, titles that contain its words, and the rest. Among
 * equals, the one that was changed last.
 */
export function foundTasks(known: Iterable<Task>, query: string, fromServer: readonly Task[]): Task[] {
  const words = wordsOf(query);
  const start = query.trim().toLowerCase();
  const found = new Map<string, Task>();
  for (const task of known) if (task.deletedAt === null && matchesWords(task, words)) found.set(task.id, task);
  for (const task of fromServer) if (!found.has(task.id) && task.deletedAt === null) found.set(task.id, task);
  const rank = ({ title, status }: Task) => {
    const text = title.toLowerCase();
    return text === start ? 0 : (status === "done" ? 4 : 1) + titleRank(text, start, words);
  };
  return [...found.values()]
    .toSorted((a, b) => rank(a) - rank(b) || byText(b.modifiedAt, a.modifiedAt))
    .slice(0, MAX_FOUND);
}

function byText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function titleRank(title: string, start: string, words: readonly string[]): 0 | 1 | 2 {
  if (title.startsWith(start)) return 0;
  return words.every((word) => title.includes(word)) ? 1 : 2;
}
