import { newLocalId } from "../../api/local-id.ts";
import { writeOptimistically } from "../../api/optimistic-write.ts";
import { toRequestError } from "../../api/request-error.ts";
import type { Client } from "../../client/client.ts";
import { pluralize } from "../../numbers/number-format.ts";
import { undoStack, type UndoableAction } from "../../undo/undo-stack.ts";
import { memoryCollection } from "./memory-collection.ts";
import { nameOf, type Memory, type MemoryPatch, type NewMemory } from "./memory.ts";
import { toasts } from "../../components/toast.ts";

/** The most ids that the server accepts in one request. */
const MAX_IDS = 500;

/** Creates a memory optimistically. Rejects with a RequestError if the server refuses: the form keeps its input. */
export async function createMemory(client: Client, input: NewMemory): Promise<void> {
  const shown: Memory = {
    id: newLocalId(),
    content: input.content,
    chunkType: input.chunkType,
    projectPath: input.projectPath ?? null,
    relevanceScore: input.relevanceScore ?? 1,
    sessionId: null,
    sourceExcerpt: null,
    sourceTurn: null,
    accessCount: 0,
    lastAccessedAt: null,
    nearDuplicateOfId: null,
    awaitsReview: false,
    supersededById: null,
    supersededAt: null,
    citations: [],
    withheldAt: null,
    deletedAt: null,
    createdAt: new Date().toISOString(),
  };
  await writeOptimistically({
    collection: memoryCollection(client),
    rowId: shown.id,
    apply: () => shown,
    send: () => client.api.memory.store.mutate(input),
    confirm: (output) => output.data,
  });
}

/** Changes a memory optimistically; a refusal is rolled back and shown. Undoable. */
export async function updateMemory(client: Client, memory: Memory, patch: MemoryPatch): Promise<void> {
  const action: UndoableAction = {
    id: newLocalId(),
    label: `Changed “${nameOf(memory)}”`,
    undo: () => void showingFailure(client, "undo the change", sendUpdate(client, memory.id, inverseOf(patch, memory))),
  };
  undoStack(client).offer(action, { isQuiet: true });
  await showingFailure(client, `change “${nameOf(memory)}”`, sendUpdate(client, memory.id, patch), action);
}

/**
 * Changes the text of a memory. Rejects with a RequestError if the server refuses: the field keeps the text. Undoable.
 */
export async function saveMemoryContent(client: Client, id: string, content: string): Promise<void> {
  const memory = memoryCollection(client).get(id);
  if (memory === undefined || content === "" || content === memory.content) return;
  await sendUpdate(client, id, { content });
  const undo = () => void updateMemory(client, memory, { content: memory.content });
  undoStack(client).offer({ id: newLocalId(), label: "Changed the memory", undo }, { isQuiet: true });
}

/** Keeps memories that await review, optimistically. Undoable. */
export async function keepMemories(client: Client, ids: readonly string[]): Promise<void> {
  const memories = ids
    .map((id) => memoryCollection(client).get(id))
    .filter((memory) => memory !== undefined)
    .filter((memory) => memory.awaitsReview);
  if (memories.length === 0) return;
  const words = describe(memories);
  const action: UndoableAction = {
    id: newLocalId(),
    label: `Kept ${words}`,
    undo: () => void showingFailure(client, `return ${words} to the queue`, sendReview(client, memories, false)),
  };
  undoStack(client).offer(action);
  await showingFailure(client, `keep ${words}`, sendReview(client, memories, true), action);
}

/** Has a memory given again although lines that it rests on have changed, optimistically. Undoable. */
export async function confirmMemory(client: Client, memory: Memory): Promise<void> {
  const words = describe([memory]);
  const action: UndoableAction = {
    id: newLocalId(),
    label: `Confirmed ${words}`,
    undo: () => void showingFailure(client, `withhold ${words}`, sendConfirmation(client, memory, false)),
  };
  undoStack(client).offer(action);
  await showingFailure(client, `confirm ${words}`, sendConfirmation(client, memory, true), action);
}

/** Forgets memories optimistically. Undoable. */
export async function forgetMemories(client: Client, ids: readonly string[]): Promise<void> {
  const memories = ids.map((id) => memoryCollection(client).get(id)).filter((memory) => memory !== undefined);
  if (memories.length === 0) return;
  const words = describe(memories);
  const action: UndoableAction = {
    id: newLocalId(),
    label: `Forgot ${words}`,
    undo: () => void showingFailure(client, `restore ${words}`, sendRestore(client, memories)),
  };
  undoStack(client).offer(action);
  await showingFailure(client, `forget ${words}`, sendForget(client, memories), action);
}

/** Restores forgotten memories optimistically. */
export async function restoreMemories(client: Client, memories: readonly Memory[]): Promise<void> {
  await showingFailure(client, `restore ${describe(memories)}`, sendRestore(client, memories));
}

/** Merges several memories into one with this content. Undoable, except for their recall counts. */
export async function mergeMemories(
  client: Client,
  kept: Memory,
  others: readonly Memory[],
  content: string,
): Promise<void> {
  const undo = async () => {
    // The write to the remaining memory waits for the merge itself; only then can the others be restored.
    await sendUpdate(client, kept.id, { content: kept.content, relevanceScore: kept.relevanceScore });
    await sendRestore(client, others);
  };
  const action: UndoableAction = {
    id: newLocalId(),
    label: `Merged ${pluralize(others.length + 1, "memory", "memories")} into one`,
    undo: () => void showingFailure(client, "undo the merge", undo()),
  };
  undoStack(client).offer(action);
  await showingFailure(client, "merge the memories", sendMerge(client, kept, others, content), action);
}

async function sendUpdate(client: Client, rowId: string, patch: MemoryPatch): Promise<void> {
  await writeOptimistically({
    collection: memoryCollection(client),
    rowId,
    apply: (memory) => memory && { ...memory, ...definedOnly(patch), awaitsReview: false },
    send: (id) => client.api.memory.update.mutate({ id, ...patch }),
    confirm: (output) => output.data,
  });
}

/** Sets whether memories await review, optimistically. Rejects with a RequestError. */
export async function sendReview(client: Client, memories: readonly Memory[], isKept: boolean): Promise<void> {
  const collection = memoryCollection(client);
  const pending = memories.map(({ id }) =>
    collection.begin({ rowId: id, apply: (memory) => memory && { ...memory, awaitsReview: !isKept } }),
  );
  try {
    await sendInBatches(client, memories, (ids) => client.api.memory.review.mutate({ ids, isKept }));
    collection.put(memories.map((memory) => ({ ...(collection.get(memory.id) ?? memory), awaitsReview: !isKept })));
  } finally {
    pending.forEach((handle) => handle.rollback());
  }
}

async function sendConfirmation(client: Client, { id: rowId }: Memory, isConfirmed: boolean): Promise<void> {
  const withheldAt = isConfirmed ? null : new Date().toISOString();
  await writeOptimistically({
    collection: memoryCollection(client),
    rowId,
    apply: (memory) => memory && { ...memory, withheldAt },
    send: (id) => client.api.memory.confirm.mutate({ id, isConfirmed }),
    confirm: (output) => output.data,
  });
}

async function sendForget(client: Client, memories: readonly Memory[]): Promise<void> {
  const unhide = hideOptimistically(client, memories);
  try {
    await sendInBatches(client, memories, (ids) => client.api.memory.deleteMany.mutate({ ids }));
    memoryCollection(client).drop(memories.map(({ id }) => id));
  } finally {
    unhide();
  }
}

async function sendRestore(client: Client, memories: readonly Memory[]): Promise<void> {
  const pending = memories.map((memory) => memoryCollection(client).begin({ rowId: memory.id, apply: () => memory }));
  try {
    await sendInBatches(client, memories, (ids) => client.api.memory.restore.mutate({ ids }));
    memoryCollection(client).put(memories);
  } finally {
    pending.forEach((handle) => handle.rollback());
  }
}

async function sendMerge(client: Client, kept: Memory, others: readonly Memory[], content: string): Promise<void> {
  const unhide = hideOptimistically(client, others);
  try {
    await writeOptimistically({
      collection: memoryCollection(client),
      rowId: kept.id,
      apply: (memory) => memory && { ...memory, content, nearDuplicateOfId: null, awaitsReview: false },
      send: (id) => client.api.memory.merge.mutate({ id, ids: others.map((other) => other.id), content }),
      confirm: (output) => output.data,
    });
    memoryCollection(client).drop(others.map(({ id }) => id));
  } finally {
    unhide();
  }
}

/** Hides memories. Returns a function that shows those that still exist again. */
function hideOptimistically(client: Client, memories: readonly Memory[]): () => void {
  const pending = memories.map((memory) =>
    memoryCollection(client).begin({ rowId: memory.id, apply: () => undefined }),
  );
  return () => pending.forEach((handle) => handle.rollback());
}

/** An undo must not overtake what it undoes, so each request waits for earlier writes to the same memories. */
async function sendInBatches(
  client: Client,
  memories: readonly Memory[],
  send: (ids: string[]) => Promise<unknown>,
): Promise<void> {
  const ids = memories.map((memory) => memory.id);
  await memoryCollection(client).writes.add(ids, async () => {
    for (let start = 0; start < ids.length; start += MAX_IDS) await send(ids.slice(start, start + MAX_IDS));
  });
}

/** Shows an error instead of the undo offer if the work fails. */
export async function showingFailure(
  client: Client,
  what: string,
  work: Promise<void>,
  action?: UndoableAction,
): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (action !== undefined) undoStack(client).withdraw(action);
    toasts(client).show({
      message: `Could not ${what}`,
      detail: toRequestError(error).message,
      tone: "danger",
      ...(action !== undefined && { id: action.id }),
    });
  }
}

function inverseOf(patch: MemoryPatch, memory: Memory): MemoryPatch {
  return {
    ...(patch.content !== undefined && { content: memory.content }),
    ...(patch.chunkType !== undefined && { chunkType: memory.chunkType }),
    ...(patch.projectPath !== undefined && { projectPath: memory.projectPath }),
    ...(patch.relevanceScore !== undefined && { relevanceScore: memory.relevanceScore }),
    ...(patch.supersededById !== undefined && { supersededById: memory.supersededById }),
  };
}

function definedOnly(patch: MemoryPatch) {
  const { content, chunkType, projectPath, relevanceScore, nearDuplicateOfId, supersededById } = patch;
  return {
    ...(content !== undefined && { content }),
    ...(chunkType !== undefined && { chunkType }),
    ...(projectPath !== undefined && { projectPath }),
    ...(relevanceScore !== undefined && { relevanceScore }),
    ...(nearDuplicateOfId !== undefined && { nearDuplicateOfId }),
    ...(supersededById !== undefined && { supersededById }),
  };
}

function describe(memories: readonly Memory[]): string {
  const [first] = memories;
  return memories.length === 1 && first !== undefined
    ? `“${nameOf(first)}”`
    : pluralize(memories.length, "memory", "memories");
}
