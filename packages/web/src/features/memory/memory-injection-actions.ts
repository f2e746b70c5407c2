import { newLocalId } from "../../api/local-id.ts";
import type { Client } from "../../client/client.ts";
import { undoStack, type UndoableAction } from "../../undo/undo-stack.ts";
import { showingFailure } from "./memory-actions.ts";
import { memoryCollection } from "./memory-collection.ts";
import { injectionsQuery, type Injection } from "./memory-injection.ts";
import type { Memory } from "./memory.ts";

/** Says that a memory was not useful to a session, or takes it back; shown at once. Undoable. */
export async function judgeInjection(
  client: Client,
  { id }: Memory,
  { sessionId }: Injection,
  isNotUseful: boolean,
): Promise<void> {
  const action: UndoableAction = {
    id: newLocalId(),
    label: isNotUseful ? "Marked as not useful" : "No longer marked as not useful",
    undo: () =>
      void showingFailure(
        client,
        "undo the change",
        sendJudgement(client, id, { sessionId, isNotUseful: !isNotUseful }),
      ),
  };
  undoStack(client).offer(action);
  await showingFailure(client, "mark the memory", sendJudgement(client, id, { sessionId, isNotUseful }), action);
}

async function sendJudgement(
  client: Client,
  id: string,
  judgement: { readonly sessionId: string; readonly isNotUseful: boolean },
): Promise<void> {
  const { queryKey } = injectionsQuery(client, id);
  const notUsefulAt = judgement.isNotUseful ? new Date().toISOString() : null;
  await client.queries.cancelQueries({ queryKey });
  client.queries.setQueryData(
    queryKey,
    (shown) =>
      shown && {
        ...shown,
        injections: shown.injections.map((injection) =>
          injection.sessionId === judgement.sessionId ? { ...injection, notUsefulAt } : injection,
        ),
      },
  );
  try {
    await memoryCollection(client).writes.add([id], () =>
      client.api.memory.judgeInjection.mutate({ id, ...judgement }),
    );
  } finally {
    void client.queries.invalidateQueries({ queryKey });
    void client.queries.invalidateQueries({ queryKey: ["memory", "recall", id] });
  }
}
