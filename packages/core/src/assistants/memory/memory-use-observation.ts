import type { Queryable } from "@workspace/db";
import { findUsedMemories, marksOf, type SessionStep } from "./memory-use.ts";
import { recordMemoryUse, selectRareMarks, selectUnusedInjections } from "./memory-use.queries.ts";

/**
 * Finds out which of the memories that a session was given it used in these steps, and records it. What a project's path
 * consists of is known to all of its sessions.
 */
export async function observeMemoryUse(
  db: Queryable,
  sessionId: string,
  { steps, until }: { readonly steps: Iterable<SessionStep>; readonly until: string | Date },
): Promise<void> {
  const given = await selectUnusedInjections(db, sessionId);
  if (given.length === 0) return;
  const marked = given.map((memory) => ({ ...memory, marks: marksOf(memory.content, memory.subject ?? "") }));
  const rare = await selectRareMarks(db, [...new Set(marked.flatMap(({ marks }) => marks))]);
  const watched = marked
    .map((memory) => ({ ...memory, marks: memory.marks.filter((mark) => rare.has(mark)) }))
    .filter(({ marks }) => marks.length > 0);
  const paths = [...new Set(watched.map(({ projectPath }) => projectPath ?? ""))];
  const known = paths.map((text) => ({ isOwn: false, text, occurredAt: null }));
  const used = await findUsedMemories(watched, inOrder(known, steps));
  await recordMemoryUse(db, {
    sessionId,
    memoryIds: given.map(({ memoryId }) => memoryId),
    visibleIds: watched.map(({ memoryId }) => memoryId),
    usedIds: [...used],
    until,
  });
}

function* inOrder<T>(...lists: Iterable<T>[]): Generator<T> {
  for (const list of lists) yield* list;
}
