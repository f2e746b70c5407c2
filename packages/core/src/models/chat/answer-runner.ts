import type { Listener } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { notify } from "../../platform/notify.ts";
import type { ProcessRegistry } from "../../platform/process-registry.ts";
import { repeat, type Closable } from "../../platform/repeat.ts";
import type { AnswerControl, AnswerStopReason, PendingAnswer } from "./answer-execution.ts";
import { selectToBeStopped } from "./conversation.queries.ts";

/** Notifies all processes, by conversation id, of an answer to stop. */
const CHANNEL = "workspace_chat_stop";
/** How often to check the database for answers to stop, in case a notification was lost. */
const CHECK_INTERVAL_MS = 2_000;

/** The answers that this process executes. */
export interface AnswerRunner extends Closable {
  /** The conversations in which this process is executing an answer. */
  activeIds(): string[];
  /** Executes an answer that is stored as in progress. It continues whether or not a client is connected. */
  execute(answer: PendingAnswer): void;
  /** Stops the answer in a conversation, in whichever process it is executed. */
  stop(conversationId: string): Promise<void>;
  start(): Promise<void>;
}

export interface AnswerRunnerOptions extends Deps<"db" | "logger"> {
  readonly listener: Listener;
  readonly processes: ProcessRegistry;
  readonly executeAnswer: (answer: PendingAnswer, control: AnswerControl) => Promise<void>;
}

interface ActiveAnswer {
  readonly stop: (reason: AnswerStopReason) => void;
  readonly done: Promise<void>;
}

export function createAnswerRunner({
  db,
  listener,
  logger,
  processes,
  executeAnswer,
}: AnswerRunnerOptions): AnswerRunner {
  const active = new Map<string, ActiveAnswer>();
  const closers: (() => unknown)[] = [];

  const stopAll = (reason: AnswerStopReason): void => {
    for (const { stop } of active.values()) stop(reason);
  };

  async function checkForStops(): Promise<void> {
    if (active.size === 0) return;
    const toBeStopped = await selectToBeStopped(db.pool, [...active.keys()], processes.processId);
    for (const id of toBeStopped) active.get(id)?.stop("interrupt");
  }

  return {
    activeIds: () => [...active.keys()],

    execute(answer) {
      const controller = new AbortController();
      let reason: AnswerStopReason | null = null;
      const stop = (why: AnswerStopReason): void => {
        reason = reason === null || why === "shutdown" ? why : reason;
        controller.abort();
      };
      const entry: ActiveAnswer = {
        stop,
        done: executeAnswer(answer, { signal: controller.signal, reason: () => reason }).finally(() => {
          // The next answer in the conversation may have started already.
          if (active.get(answer.conversationId) === entry) active.delete(answer.conversationId);
        }),
      };
      active.set(answer.conversationId, entry);
    },

    async stop(conversationId) {
      active.get(conversationId)?.stop("interrupt");
      await notify(db.pool, CHANNEL, conversationId);
    },

    async start() {
      processes.onLost(() => stopAll("lost"));
      closers.push(await listener.listen(CHANNEL, (id) => active.get(id)?.stop("interrupt")));
      const checking = repeat(checkForStops, {
        everyMs: CHECK_INTERVAL_MS,
        onError: (error) => logger.warn({ err: error }, "could not check for answers to stop"),
      });
      closers.push(() => checking.close());
    },

    async close() {
      for (const close of closers.splice(0).toReversed()) await close();
      stopAll("shutdown");
      await Promise.all([...active.values()].map(({ done }) => done));
    },
  };
}
