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
  readonly project?: string;
  /** The items of its checklist and its comments, of both; no two are the same. */
  readonly parts: string[];
}

/** The other fields of a new task. */
export const NEW_TASK = { id: null, status: "todo", priority: 2, description: null, isDeleted: false } as const;

/** A note, to which both add lines. */
export interface Note {
  /** Null for one that was created in the browser. */
  readonly id: string | null;
  path: string;
  readonly mine: string[];
  readonly theirs: string[];
  /** Its tags, if it has some. */
  readonly tags?: string[];
}

export interface Loss {
  readonly kind: "lost" | "doubled" | "other";
  readonly what: string;
}

export interface StoredTask {
  readonly id: string;
  readonly title: string;
  readonly project: { readonly name: string } | null;
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
  for (const { title, isDeleted, status, priority, description, project = null } of model) {
    if (isDeleted) continue;
    const found = stored.filter((task) => task.title === title);
    const [task] = found;
    if (task === undefined) losses.push({ kind: "lost", what: `“${title}”` });
    else if (found.length > 1) losses.push({ kind: "doubled", what: `“${title}”, ${found.length} times` });
    else {
      if ((task.project?.name ?? null) !== project) losses.push({ kind: "lost", what: `the project of “${title}”` });
      for (const [name, value] of Object.entries({ status, priority, description }))
        if (JSON.stringify(Object.entries(task).find(([key]) => key === name)?.[1] ?? null) !== JSON.stringify(value))
          losses.push({ kind: "lost", what: `${name} of “${title}”, which should be ${String(value)}` });
    }
  }
  return losses;
}

/** What is wrong with the text of a note that the server has. */
export function compareNotes({ path, mine, theirs }: Note, body: string): Loss[] {
  return compareTexts(path, [...mine, ...theirs], body.split("\n"));
}

/** Which of some texts the server does not have exactly once. */
export function compareTexts(where: string, expected: readonly string[], stored: readonly string[]): Loss[] {
  return expected.flatMap((text): Loss[] => {
    const count = stored.filter((other) => other === text).length;
    if (count === 1) return [];
    return [{ kind: count === 0 ? "lost" : "doubled", what: `“${text}” in ${where}` }];
  });
}
