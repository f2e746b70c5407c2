import { traced, type Db } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { DomainError } from "../../platform/errors.ts";
import type { Change } from "../../platform/events.ts";
import { toUsd, type NanoUsd } from "../../platform/money.ts";
import type { UserPrincipal } from "../../platform/procedures/principal.ts";
import type { ChatEvent } from "../../platform/realtime/frames.ts";
import type { Redactor } from "../../platform/redactor.ts";
import { redactTexts, type ContentBlock } from "../gateway/content-block.ts";
import type { ModelAccess } from "../gateway/model-access.ts";
import { ModelError } from "../gateway/model-error.ts";
import type { ModelImage } from "../gateway/model-request.ts";
import { isBilled, type ModelCharge } from "../gateway/model-charge.ts";
import { createToolGuard, type ApprovalOutcome, type HighRiskCall, type HighRiskPolicy } from "../tools/tool-guard.ts";
import type { Toolbox } from "../tools/toolbox.ts";
import { runTurns, type TurnLoopEnd, type TurnObserver } from "../tools/turn-loop.ts";
import { NO_FURTHER_LIMITS } from "../usage/spend-guard.ts";
import { addChatEvent, MAX_SHOWN_RESULT_LENGTH } from "./answer-content.ts";
import { selectAttachments } from "./attachment.queries.ts";
import type { Approvals } from "./approvals.ts";
import { createChatJournal, type ChatJournal, type JournalWrite } from "./chat-journal.ts";
import { createChatMessages } from "./chat-prompt.ts";
import { addConversationCost, endAnswer, type EndedAnswer } from "./conversation.queries.ts";
import type { ModelChoice } from "./conversation.schema.ts";
import { selectToldMessages, type ToldMessage } from "./message.queries.ts";
import { messagesUpTo } from "./message-branch.ts";

/** The error message of an answer whose process was declared dead, whichever process ends it. */
export const CRASH_MESSAGE = "The server process that was answering ended unexpectedly.";

/** How the source of text is called that a message mentions, or that is attached to it. */
const ENCLOSED_SOURCE = "what came with a message";

/** So many images of a conversation are shown to the model, the latest ones. */
const MAX_IMAGES = 10;

/** The maximum number of model calls for one answer. */
const MAX_TURNS = 30;

/** An answer that is stored as in progress and waits to be executed. */
export interface PendingAnswer {
  readonly conversationId: string;
  readonly title: string;
  readonly messageId: string;
  readonly userMessageId: string;
  /** The chosen model; null for that of the settings. */
  readonly model: ModelChoice | null;
  readonly principal: UserPrincipal;
  readonly processId: string;
  /** The last event before the answer. */
  readonly lastSeq: number;
  readonly startedAt: Date;
}

/**
 * Why an answer is stopped: by a user, because its process is shutting down, or because it no longer belongs to this process.
 */
export type AnswerStopReason = "interrupt" | "shutdown" | "lost";

export interface AnswerControl {
  readonly signal: AbortSignal;
  reason(): AnswerStopReason | null;
}

export interface AnswerExecutionDeps extends Deps<"db" | "clock" | "ids" | "events" | "logger"> {
  readonly models: ModelAccess;
  readonly toolbox: Toolbox;
  readonly redactor: Redactor;
  readonly approvals: Approvals;
  /** How long a person has to decide on a call. */
  readonly approvalTimeoutMs: number;
  readonly timeZone: string;
}

/** The event that ends an answer, and the resulting status of the conversation. */
type Ending = { readonly event: ChatEvent } & Pick<EndedAnswer, "status" | "errorMessage">;

const ACTION_OF_STATUS: Record<EndedAnswer["status"], Change["action"]> = {
  idle: "complete",
  interrupted: "cancel",
  error: "fail",
};

/** The conversation was deleted, or other processes have ended the answer because this one's lease expired. */
class AnswerLostError extends Error {
  override readonly name = "AnswerLostError";
}

/** Executes one answer, from its first event to its stored end. Never throws. */
export function createAnswerExecution(deps: AnswerExecutionDeps) {
  return (answer: PendingAnswer, control: AnswerControl): Promise<void> =>
    traced(
      () => ({
        name: "invoke_agent chat",
        kind: "internal",
        beginsTrace: true,
        attributes: {
          "gen_ai.operation.name": "invoke_agent",
          "gen_ai.agent.name": "chat",
          "gen_ai.conversation.id": answer.conversationId,
        },
      }),
      async (attributes) => {
        const failure = await executeAnswer(answer, control);
        if (attributes !== null && failure !== null) attributes["error.type"] = failure;
      },
    );

  /** Returns with which status the answer left the conversation; null if it was finished. */
  async function executeAnswer(answer: PendingAnswer, control: AnswerControl): Promise<string | null> {
    const { conversationId } = answer;
    const progress = createProgress(deps, answer, control);
    try {
      const ending = await runLoop(deps, answer, control, progress);
      const stored = endingOf(ending, progress, control.reason());
      await progress.end(stored, ending.call?.charge ?? null);
      return stored.status === "idle" ? null : stored.status;
    } catch (error) {
      deps.logger.warn({ err: error, conversationId }, "an answer ended early");
      if (error instanceof AnswerLostError) {
        await progress.stop();
        return "lost";
      }
      await progress
        .end(failure(error), null)
        .catch((endError: unknown) =>
          deps.logger.error({ err: endError, conversationId }, "could not store the end of an answer"),
        );
      return "error";
    }
  }
}

async function runLoop(
  deps: AnswerExecutionDeps,
  answer: PendingAnswer,
  control: AnswerControl,
  progress: AnswerProgress,
): Promise<TurnLoopEnd> {
  const { db, models, toolbox, timeZone } = deps;
  const { conversationId, messageId, userMessageId, principal, startedAt, model } = answer;
  const gateway = await models.requireGateway("chat", model);
  progress.emit({ type: "chat:stream_start", messageId, userMessageId, model: gateway.modelName });
  const messages = messagesUpTo(await selectToldMessages(db.pool, conversationId), userMessageId);
  const images = await readImages(db, messages);
  const observer: TurnObserver = {
    onText: (delta) => progress.emit({ type: "chat:text_delta", delta }),
    onToolStart: ({ id, name, input }) =>
      progress.emit({ type: "chat:tool_start", toolUseId: id, toolName: name, input }),
    onToolEnd: ({ tool_use_id: toolUseId, content, is_error: isError }) => {
      const result = content.slice(0, MAX_SHOWN_RESULT_LENGTH).toWellFormed();
      progress.emit({ type: "chat:tool_end", toolUseId, result, isError });
    },
    saveTurn: ({ charge }) => progress.saveTurn(charge),
    beforeTool: () => progress.assertOwned(),
  };
  const policy: HighRiskPolicy = (call, signal) => askPerson(deps, answer, progress, call, signal);
  const guard = createToolGuard({ policy, untrustedSource: sourceOfText(messages, toolbox) });
  const ending = await runTurns({
    gateway,
    toolbox,
    scope: { principal, origin: { kind: "chat", conversationId, messageId }, names: null, guard },
    messages: createChatMessages({ messages, images, userName: principal.name, now: startedAt, timeZone }),
    maxTurns: MAX_TURNS,
    limits: () => NO_FURTHER_LIMITS,
    signal: control.signal,
    observer,
  });
  return images.size > 0 ? withImageHint(ending) : ending;
}

/** The latest images of a conversation. */
async function readImages(db: Db, messages: readonly ToldMessage[]): Promise<Map<string, ModelImage>> {
  const ids = messages.flatMap(({ attachments }) =>
    attachments.flatMap(({ id, mediaType }) => (mediaType.startsWith("image/") ? id : [])),
  );
  if (ids.length === 0) return new Map();
  const stored = await selectAttachments(db.pool, [...new Set(ids)].slice(-MAX_IMAGES));
  return new Map(stored.map(({ id, mediaType, content }) => [id, { mediaType, base64: content.toString("base64") }]));
}

/** An endpoint refuses images in its own words, if its model takes none. */
function withImageHint(ending: TurnLoopEnd): TurnLoopEnd {
  if (ending.end !== "failed" || !(ending.error instanceof ModelError)) return ending;
  const { message, endpointStatus } = ending.error;
  if (endpointStatus === null || endpointStatus < 400 || endpointStatus >= 500 || endpointStatus === 429) return ending;
  const hint = `${message} Perhaps the model takes no images: choose another one, or ask without them.`;
  return { ...ending, error: new ModelError(hint, { isRetryable: false, endpointStatus }) };
}

/** Asks a person to decide on a call. Emits the request and the outcome as events. */
async function askPerson(
  { approvals, ids, clock, redactor, approvalTimeoutMs }: AnswerExecutionDeps,
  { conversationId, processId }: PendingAnswer,
  progress: AnswerProgress,
  { use, effect, subject, source }: HighRiskCall,
  signal: AbortSignal,
): Promise<ApprovalOutcome> {
  const approvalId = ids();
  const expiresAt = new Date(clock.now().getTime() + approvalTimeoutMs);
  const request = { conversationId, approvalId, processId, expiresAt };
  if (!(await approvals.open(request, signal))) return "stopped";
  const { id: toolUseId, name: toolName, input } = use;
  progress.emit({
    type: "chat:approval_request",
    approvalId,
    toolUseId,
    toolName,
    input,
    effect,
    subject: subject === null ? null : redactor.redact(subject),
    source,
    expiresAt: expiresAt.toISOString(),
  });
  const outcome = await approvals.wait(request, signal);
  progress.emit({ type: "chat:approval_end", approvalId, toolUseId, outcome });
  return outcome;
}

/** What has last brought untrusted text into the conversation, which is sent to the model again: a tool, a mention or a file. */
function sourceOfText(messages: readonly ToldMessage[], toolbox: Toolbox): string | null {
  const bringsText = (name: string) => toolbox.find(name)?.bringsText ?? true;
  const sources = messages.flatMap(({ content, context, attachments }) => [
    ...(context === null && attachments.length === 0 ? [] : [ENCLOSED_SOURCE]),
    ...content.flatMap((block) => (block.type === "tool_use" && bringsText(block.name) ? block.name : [])),
  ]);
  return sources.at(-1) ?? null;
}

type AnswerProgress = ReturnType<typeof createProgress>;

/** The content and cost of an answer so far, emitted and stored as they grow. */
function createProgress(
  { db, clock, events, logger, models, redactor }: AnswerExecutionDeps,
  answer: PendingAnswer,
  control: AnswerControl,
) {
  const { conversationId, messageId, userMessageId: parentId, title, startedAt } = answer;
  const shouldAbort = () => control.reason() === "shutdown";
  const journal: ChatJournal = createChatJournal({ db, clock, logger, ...answer, shouldAbort });
  let content: ContentBlock[] = [];
  let model: string | null = null;
  let cost: NanoUsd = 0n;
  let isCostKnown = true;

  const emit = (event: ChatEvent): void => {
    content = addChatEvent(content, event);
    if (event.type === "chat:stream_start") ({ model } = event);
    journal.add(event);
  };
  const durationMs = () => clock.now().getTime() - startedAt.getTime();

  async function book({ client }: JournalWrite, charge: ModelCharge | null): Promise<void> {
    if (charge === null) return;
    await addConversationCost(client, conversationId, charge);
    const usage = { id: messageId, source: "chat", sourceId: conversationId, sourceName: title } as const;
    await models.book(client, charge, { ...usage, durationMs: durationMs(), happenedAt: startedAt });
  }

  function addCost(charge: ModelCharge | null): void {
    cost += charge?.cost ?? 0n;
    isCostKnown &&= charge?.isCostKnown ?? true;
  }

  return {
    emit,
    durationMs,
    /** The cost of the answer including another charge. */
    costWith: (charge: ModelCharge | null) => ({
      costUsd: toUsd(cost + (charge?.cost ?? 0n)),
      isCostKnown: isCostKnown && (charge?.isCostKnown ?? true),
    }),

    /** Throws {@link AnswerLostError} if the answer no longer belongs to this process. */
    async assertOwned(): Promise<void> {
      if (!(await journal.commit(() => Promise.resolve()))) throw new AnswerLostError();
    },

    /** Stops writing events without ending the answer. */
    stop: () => journal.stop(),

    async saveTurn(charge: ModelCharge): Promise<void> {
      const isOwner = await journal.commit((write) => book(write, charge));
      if (!isOwner) throw new AnswerLostError();
      addCost(charge);
    },

    /** Stores and emits the end together with the last charge. */
    async end({ event, status, errorMessage }: Ending, charge: ModelCharge | null): Promise<void> {
      await journal.stop();
      addCost(charge);
      emit(event);
      const stored = redactTexts(content, redactor);
      const booked: ModelCharge[] = [];
      const hasEnded = await journal.commit(async (write) => {
        await book(write, charge);
        if (charge !== null && isBilled(charge)) booked.push(charge);
        if (!write.exists) return;
        const ended = { content: stored, model, cost, isCostKnown, status, errorMessage };
        const { lastSeq } = write;
        const when = { durationMs: durationMs(), endedAt: clock.now() };
        await endAnswer(write.client, { ...ended, ...when, messageId, conversationId, parentId, lastSeq });
      });
      if (booked.length > 0) {
        events.publish({ resource: "usage", action: "create", resourceId: messageId, resourceName: title });
      }
      if (hasEnded) {
        const action = ACTION_OF_STATUS[status];
        events.publish({ resource: "conversation", action, resourceId: conversationId, resourceName: title });
      }
    },
  };
}

function endingOf(ending: TurnLoopEnd, progress: AnswerProgress, reason: AnswerStopReason | null): Ending {
  switch (ending.end) {
    case "finished": {
      const cost = progress.costWith(ending.call?.charge ?? null);
      const event: ChatEvent = { type: "chat:stream_end", ...cost, durationMs: progress.durationMs() };
      return { event, status: "idle", errorMessage: null };
    }
    case "aborted":
      if (reason === "lost") return failed(CRASH_MESSAGE);
      return { event: { type: "chat:interrupted" }, status: "interrupted", errorMessage: null };
    case "turns_exhausted":
      return failed(`The answer took more than ${MAX_TURNS} turns.`);
    case "failed":
      return failed(ending.error.message);
  }
}

function failure(error: unknown): Ending {
  const isPublic = error instanceof DomainError;
  return failed(isPublic ? error.message : "Something went wrong on the server. The log has the details.");
}

function failed(message: string): Ending {
  return { event: { type: "chat:error", message }, status: "error", errorMessage: message };
}
