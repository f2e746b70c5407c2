import { newLocalId } from "../../api/local-id.ts";
import { afterEarlierWrites, writeOptimistically } from "../../api/optimistic-write.ts";
import { toRequestError } from "../../api/request-error.ts";
import { trpcClient } from "../../api/trpc.ts";
import { showToast } from "../../components/toast.ts";
import { sayCountOf } from "../../numbers/number-wording.ts";
import { offerUndo, withdrawUndo, type UndoableAction } from "../../undo/undo-stack.ts";
import { memoryCollection } from "./memory-collection.ts";
import { nameOf, type Memory, type MemoryPatch, type NewMemory } from "./memory.ts";

/** The server takes no more ids at once. */
const MAX_IDS = 500;

/** Stores a memory, shown at once. Rejects with a RequestError where the server refuses: the form keeps its input. */
export async function createMemory(input: NewMemory): Promise<void> {
  const shown: Memory = {
    id: newLocalId(),
    content: input.content,
    chunkType: input.chunkType,
    projectPath: input.projectPath ?? null,
    relevanceScore: input.relevanceScore ?? 1,
    sessionId: null,
    sourceExcerpt: null,
    accessCount: 0,
    lastAccessedAt: null,
    nearDuplicateOfId: null,
    createdAt: new Date().toISOString(),
  };
  await writeOptimistically({
    collection: memoryCollection,
    rowId: shown.id,
    apply: () => shown,
    send: () => trpcClient.memory.store.mutate(input),
    confirm: (output) => output.data,
  });
}

/** Changes a memory at once, and tells and takes back what the server refuses. Undoable. */
export async function updateMemory(memory: Memory, patch: MemoryPatch): Promise<void> {
  const action: UndoableAction = {
    id: newLocalId(),
    label: `Changed “${nameOf(memory)}”`,
    undo: () => void tellingFailure("undo the change", sendUpdate(memory.id, inverseOf(patch, memory))),
  };
  offerUndo(action, { isQuiet: true });
  await tellingFailure(`change “${nameOf(memory)}”`, sendUpdate(memory.id, patch), action);
}

/** Changes what a memory says. Rejects with a RequestError where the server refuses: the field keeps the text. Undoable. */
export async function saveMemoryContent(id: string, content: string): Promise<void> {
  const memory = memoryCollection.get(id);
  if (memory === undefined || content === "" || content === memory.content) return;
  await sendUpdate(id, { content });
  const undo = () => void updateMemory(memory, { content: memory.content });
  offerUndo({ id: newLocalId(), label: "Changed the memory", undo }, { isQuiet: true });
}

/** Forgets memories at once. Undoable. */
export async function forgetMemories(ids: readonly string[]): Promise<void> {
  const memories = ids.map((id) => memoryCollection.get(id)).filter((memory) => memory !== undefined);
  if (memories.length === 0) return;
  const words = describe(memories);
  const action: UndoableAction = {
    id: newLocalId(),
    label: `Forgot ${words}`,
    undo: () => void tellingFailure(`bring ${words} back`, sendRestore(memories)),
  };
  offerUndo(action);
  await tellingFailure(`forget ${words}`, sendForget(memories), action);
}

/** Brings forgotten memories back at once. */
export async function restoreMemories(memories: readonly Memory[]): Promise<void> {
  await tellingFailure(`bring ${describe(memories)} back`, sendRestore(memories));
}

/** Lets one memory stand for several, with this content. Undoable, but for how often it was looked up. */
export async function mergeMemories(kept: Memory, others: readonly Memory[], content: string): Promise<void> {
  const undo = async () => {
    // The write to the one that stays waits for the merge itself; only after it can the others come back.
    await sendUpdate(kept.id, { content: kept.content, relevanceScore: kept.relevanceScore });
    await sendRestore(others);
  };
  const action: UndoableAction = {
    id: newLocalId(),
    label: `Merged ${sayCountOf(others.length + 1, "memory", "memories")} into one`,
    undo: () => void tellingFailure("undo the merge", undo()),
  };
  offerUndo(action);
  await tellingFailure("merge the memories", sendMerge(kept, others, content), action);
}

async function sendUpdate(rowId: string, patch: MemoryPatch): Promise<void> {
  await writeOptimistically({
    collection: memoryCollection,
    rowId,
    apply: (memory) => memory && { ...memory, ...definedOnly(patch) },
    send: (id) => trpcClient.memory.update.mutate({ id, ...patch }),
    confirm: (output) => output.data,
  });
}

async function sendForget(memories: readonly Memory[]): Promise<void> {
  const showAgain = hide(memories);
  try {
    await sendInBatches(memories, (ids) => trpcClient.memory.deleteMany.mutate({ ids }));
    dropFromCollection(memories);
  } finally {
    showAgain();
  }
}

async function sendRestore(memories: readonly Memory[]): Promise<void> {
  const pending = memories.map((memory) => memoryCollection.begin({ rowId: memory.id, apply: () => memory }));
  try {
    await sendInBatches(memories, (ids) => trpcClient.memory.restore.mutate({ ids }));
    memoryCollection.merge(memories, memoryCollection.startRead());
  } finally {
    pending.forEach((handle) => handle.rollback());
  }
}

async function sendMerge(kept: Memory, others: readonly Memory[], content: string): Promise<void> {
  const showAgain = hide(others);
  try {
    await writeOptimistically({
      collection: memoryCollection,
      rowId: kept.id,
      apply: (memory) => memory && { ...memory, content, nearDuplicateOfId: null },
      send: (id) => trpcClient.memory.merge.mutate({ id, ids: others.map((other) => other.id), content }),
      confirm: (output) => output.data,
    });
    dropFromCollection(others);
  } finally {
    showAgain();
  }
}

/** Takes memories out of sight. Answers how to show again those that are still there. */
function hide(memories: readonly Memory[]): () => void {
  const pending = memories.map((memory) => memoryCollection.begin({ rowId: memory.id, apply: () => undefined }));
  return () => pending.forEach((handle) => handle.rollback());
}

function dropFromCollection(memories: readonly Memory[]): void {
  const ids = new Set(memories.map((memory) => memory.id));
  memoryCollection.prune((memory) => ids.has(memory.id), memoryCollection.startRead());
}

/** An undo must not overtake what it undoes, so each waits for earlier writes to the same memories. */
async function sendInBatches(memories: readonly Memory[], send: (ids: string[]) => Promise<unknown>): Promise<void> {
  const ids = memories.map((memory) => memory.id);
  await afterEarlierWrites(memoryCollection, ids, async () => {
    for (let start = 0; start < ids.length; start += MAX_IDS) await send(ids.slice(start, start + MAX_IDS));
  });
}

/** Tells what has not happened, in place of the offer to take it back. */
async function tellingFailure(what: string, work: Promise<void>, action?: UndoableAction): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (action !== undefined) withdrawUndo(action);
    showToast({
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
  };
}

function definedOnly({ content, chunkType, projectPath, relevanceScore, nearDuplicateOfId }: MemoryPatch) {
  return {
    ...(content !== undefined && { content }),
    ...(chunkType !== undefined && { chunkType }),
    ...(projectPath !== undefined && { projectPath }),
    ...(relevanceScore !== undefined && { relevanceScore }),
    ...(nearDuplicateOfId !== undefined && { nearDuplicateOfId }),
  };
}

function describe(memories: readonly Memory[]): string {
  const [first] = memories;
  return memories.length === 1 && first !== undefined
    ? `“${nameOf(first)}”`
    : sayCountOf(memories.length, "memory", "memories");
}
