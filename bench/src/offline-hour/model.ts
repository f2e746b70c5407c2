/** A task as it has to be in the end. */
export interface TaskModel {
  /** Null if the server chooses it, or has it later. */
  readonly id: string | null;
  /** No two have the same. */
  title: string;
  status: string;
  priority: number;
  description: string | null;
  isDeleted: boolean;
  isRenamed?: boolean;
  readonly isOthers?: boolean;
}

/** A note, to which both add lines. */
export interface Note {
  readonly id: string;
  readonly path: string;
  readonly mine: string[];
  readonly theirs: string[];
}

export interface Loss {
  readonly kind: "lost" | "doubled" | "other";
  readonly what: string;
}

interface StoredTask {
  readonly title: string;
  readonly status: string;
  readonly priority: number;
  readonly description: string | null;
}

/** What is wrong with the tasks that the server has. */
export function compareTasks(model: readonly TaskModel[], stored: readonly StoredTask[]): Loss[] {
  const losses: Loss[] = [];
  const expected = new Set(model.filter(({ isDeleted }) => !isDeleted).map(({ title }) => title));
  for (const { title } of stored)
    if (!expected.has(title)) losses.push({ kind: "other", what: `“${title}” should not be there` });
  for (const { title, isDeleted, status, priority, description } of model) {
    if (isDeleted) continue;
    const found = stored.filter((task) => task.title === title);
    const [task] = found;
    if (task === undefined) losses.push({ kind: "lost", what: `“${title}”` });
    else if (found.length > 1) losses.push({ kind: "doubled", what: `“${title}”, ${found.length} times` });
    else
      for (const [name, value] of Object.entries({ status, priority, description }))
        if (JSON.stringify(Object.entries(task).find(([key]) => key === name)?.[1] ?? null) !== JSON.stringify(value))
          losses.push({ kind: "lost", what: `${name} of “${title}”, which should be ${String(value)}` });
  }
  return losses;
}

/** What is wrong with the text of a note that the server has. */
export function compareNotes({ path, mine, theirs }: Note, body: string): Loss[] {
  const lines = body.split("\n");
  return [...mine, ...theirs].flatMap((line): Loss[] => {
    const count = lines.filter((other) => other === line).length;
    if (count === 1) return [];
    return [{ kind: count === 0 ? "lost" : "doubled", what: `“${line}” in ${path}` }];
  });
}
