import { transaction, type Db, type Listener } from "@workspace/db";
import type { Clock } from "../../platform/clock.ts";
import { ConflictError, InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import type { EventBus } from "../../platform/events.ts";
import type { IdGenerator } from "../../platform/ids.ts";
import { createNotifiedWaits } from "../../platform/notified-waits.ts";
import { createPager, timeAndId, type Page } from "../../platform/paging.ts";
import type { Redactor } from "../../platform/redactor.ts";
import { selectSessionOverview } from "../hooks/hook-session.queries.ts";
import {
  claimInstructions,
  deleteInstructionsBefore,
  endInstruction,
  insertInstruction,
  lockStanding,
  markDelivered,
  selectInstruction,
  selectInstructions,
  selectRunningSessions,
  selectStanding,
  selectStandingOfKind,
  type StandingInstruction,
} from "./session-instruction.queries.ts";
import type {
  ConfirmInstructions,
  GiveInstruction,
  InstructionKind,
  ListInstructions,
  ListRunningSessions,
  RunningSession,
  SessionInstruction,
  TakeInstructions,
  TakenInstructions,
  WatchSession,
} from "./session-instruction.schema.ts";

/** Notifies all processes, by session, that its instructions have changed. */
const CHANNEL = "workspace_steering";
/** A hook says within this time that it has delivered what it took; otherwise another one does. */
const CLAIM_MS = 15_000;
/** Assistants cut off what is longer. */
const MAX_DELIVERED_CHARACTERS = 8_000;
const MAX_STANDING = 30;
const RUNNING_MS = 60 * 60 * 1000;
const KEPT_MS = 90 * 24 * 60 * 60 * 1000;
const NOBODY = "A person";

const LABELS: Readonly<Record<InstructionKind, string>> = { message: "Message", pause: "Pause", stop: "Stop" };

const readInstructions = createPager("session-instructions", timeAndId, ({ createdAt, id }: SessionInstruction) => [
  createdAt,
  id,
]);
const readRunning = createPager("running-sessions", timeAndId, ({ lastEventAt, lastEventId }: RunningSession) => [
  lastEventAt,
  lastEventId,
]);

export interface SteeringServiceDeps {
  readonly db: Db;
  readonly listener: Listener;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly events: EventBus;
  /** Keeps the values of secrets out of what is stored. */
  readonly redactor: Redactor;
}

export type SteeringService = ReturnType<typeof createSteeringService>;

/**
 * What a person has for a running session of an assistant: messages, which its hooks deliver in order, a pause, during which calls
 * wait, and a stop.
 */
export function createSteeringService({ db, listener, clock, ids, events, redactor }: SteeringServiceDeps) {
  const waits = createNotifiedWaits({ db, listener, clock, channel: CHANNEL });

  async function announce(sessionId: string, id: string, kind: InstructionKind, action: "create" | "edit") {
    await waits.wake(sessionId);
    events.publish({ resource: "approval", action, resourceId: id, resourceName: LABELS[kind] });
  }

  async function find(id: string): Promise<SessionInstruction> {
    const instruction = await selectInstruction(db.pool, id, clock.now());
    if (instruction === null) throw new NotFoundError("There is no such instruction.");
    return instruction;
  }

  async function requireRunning(sessionId: string): Promise<void> {
    const { totalEvents, hasEnded } = await selectSessionOverview(db.pool, sessionId);
    if (totalEvents === 0) throw new NotFoundError("No hook has reported this session.");
    if (hasEnded) throw new ConflictError("This session has ended.");
  }

  /** Takes what a hook delivers. In one transaction with the lock, so that of two hooks at once only one has it. */
  function claim({ sessionId, claim: claimId, ...hook }: TakeInstructions): Promise<Claimed> {
    return transaction(db.pool, async (client) => {
      const now = clock.now();
      const standing = await lockStanding(client, sessionId);
      const pause = standing.find(({ kind }) => kind === "pause");
      const stop = standing.find(({ kind }) => kind === "stop");
      if (stop !== undefined && hook.moment === "prompt") {
        // The run that it was for is over.
        await endInstruction(client, stop.id, { at: now, userId: null });
        return { pause, stop: undefined, messages: [], ended: stop };
      }
      const isHeld = pause !== undefined && hook.moment === "call";
      const tellable = hook.takesMessages && stop === undefined && !isHeld ? standing : [];
      const messages = hook.fromSubagent ? [] : toDeliver(tellable, claimId, now);
      const until = new Date(now.getTime() + CLAIM_MS);
      const taken = [...messages, ...(stop === undefined || hook.fromSubagent ? [] : [stop])];
      if (taken.length > 0)
        await claimInstructions(
          client,
          taken.map(({ id }) => id),
          { claim: claimId, until },
        );
      return { pause, stop, messages, ended: undefined };
    });
  }

  return {
    /**
     * Has something for a session. A second pause, or stop, is the one that stands; a stop ends a pause. Throws
     * {@link InvalidInputError}, {@link NotFoundError}, {@link ConflictError} if the session has ended or too much is pending.
     */
    async give({ sessionId, kind, text = "" }: GiveInstruction, userId: string): Promise<SessionInstruction> {
      if ((kind === "message") !== (text !== ""))
        throw InvalidInputError.at("text", kind === "message" ? "must not be empty" : "is only for messages");
      await requireRunning(sessionId);
      const now = clock.now();
      const id = ids();
      const pause = kind === "stop" ? await selectStandingOfKind(db.pool, sessionId, "pause", now) : null;
      const isNew = await transaction(db.pool, async (client) => {
        if (pause !== null) await endInstruction(client, pause.id, { at: now, userId });
        return insertInstruction(client, {
          id,
          sessionId,
          kind,
          text: kind === "message" ? redactor.redact(text) : null,
          createdAt: now,
          userId,
          maxStanding: MAX_STANDING,
        });
      });
      if (isNew) {
        await announce(sessionId, id, kind, "create");
        return find(id);
      }
      const standing = kind === "message" ? null : await selectStandingOfKind(db.pool, sessionId, kind, now);
      if (standing === null) throw new ConflictError("Too much is pending for this session.");
      return standing;
    },

    /** Withdraws what no hook has taken, or ends a pause. Throws {@link ConflictError} if it is too late, {@link NotFoundError}. */
    async withdraw(id: string, userId: string): Promise<SessionInstruction> {
      const ended = await endInstruction(db.pool, id, { at: clock.now(), userId });
      const instruction = await find(id);
      if (ended === null)
        throw new ConflictError(
          instruction.state === "withdrawn" ? "This is over already." : "The assistant has it already.",
        );
      await announce(ended.sessionId, id, ended.kind, "edit");
      return instruction;
    },

    /** Newest first. */
    list({ sessionId, limit, cursor }: ListInstructions): Promise<Page<SessionInstruction>> {
      const search = { sessionId, now: clock.now() };
      return readInstructions({ limit, cursor, filter: { sessionId } }, (range) =>
        selectInstructions(db.pool, search, range),
      );
    },

    /**
     * What a hook is to do. Holds a call while the session is paused, for at most the given time. What it takes is delivered once the
     * hook {@link confirm}s it; a repeat with the same claim gets the same.
     */
    async take(hook: TakeInstructions): Promise<TakenInstructions> {
      const { sessionId } = hook;
      const read = () => selectStanding(db.pool, sessionId);
      const standing = await read();
      if (standing.length === 0) return { sessionId, pausedBy: null, pausedForMs: null, stop: null, messages: [] };
      if (hook.moment === "call") {
        const pause = pauseOf(standing);
        if (pause !== undefined && pause.deliveredAt === null) {
          await markDelivered(db.pool, sessionId, [pause.id], clock.now());
          await announce(sessionId, pause.id, "pause", "edit");
        }
        await waits.wait(sessionId, hook.waitMs, read, (rows) => (pauseOf(rows) === undefined ? 0 : Infinity));
      }
      const { pause, stop, messages, ended } = await claim(hook);
      if (ended !== undefined) await announce(sessionId, ended.id, ended.kind, "edit");
      const waitsSince = pause?.deliveredAt ?? null;
      return {
        sessionId,
        pausedBy: pause === undefined ? null : (pause.createdBy ?? NOBODY),
        pausedForMs: waitsSince === null ? null : Math.max(0, clock.now().getTime() - Date.parse(waitsSince)),
        stop: stop === undefined ? null : { id: stop.id, by: stop.createdBy ?? NOBODY },
        messages: messages.map(({ id, text, createdBy, createdAt }) => ({
          id,
          text: text ?? "",
          by: createdBy ?? NOBODY,
          createdAt,
        })),
      };
    },

    /** Records that a hook has delivered what it took. */
    async confirm({ sessionId, ids: given }: ConfirmInstructions): Promise<{ delivered: number }> {
      const delivered = await markDelivered(db.pool, sessionId, given, clock.now());
      for (const { id, kind } of delivered) await announce(sessionId, id, kind, "edit");
      return { delivered: delivered.length };
    },

    /** Waits a while for something that the hooks of a session have to do. */
    async watch({ sessionId, waitMs }: WatchSession): Promise<{ isSteered: boolean }> {
      const read = () => selectStanding(db.pool, sessionId);
      const standing = await waits.wait(sessionId, waitMs, read, ({ length }) => (length > 0 ? 0 : Infinity));
      return { isSteered: standing.length > 0 };
    },

    /** Sessions that have not ended and did something within the last hour, newest first. */
    listRunning({ limit, cursor }: ListRunningSessions): Promise<Page<RunningSession>> {
      const since = new Date(clock.now().getTime() - RUNNING_MS);
      return readRunning({ limit, cursor }, (range) => selectRunningSessions(db.pool, since, range));
    },

    /** Waits from here on are woken by changes made through other processes. */
    start: waits.start,

    /** Ends all waits, so that hooks ask again elsewhere. */
    close: waits.close,

    deleteOld: () => deleteInstructionsBefore(db.pool, new Date(clock.now().getTime() - KEPT_MS)),
  };
}

interface Claimed {
  readonly pause: StandingInstruction | undefined;
  readonly stop: StandingInstruction | undefined;
  readonly messages: readonly StandingInstruction[];
  /** What was ended instead. */
  readonly ended: StandingInstruction | undefined;
}

/** The pause that a call waits for, unless it is to be stopped. */
function pauseOf(standing: readonly StandingInstruction[]): StandingInstruction | undefined {
  return standing.some(({ kind }) => kind === "stop") ? undefined : standing.find(({ kind }) => kind === "pause");
}

/** The next messages, as many as an assistant takes at once. None while another hook delivers some, so that they stay in order. */
function toDeliver(standing: readonly StandingInstruction[], claim: string, now: Date): readonly StandingInstruction[] {
  const messages = standing.filter(({ kind }) => kind === "message");
  const isBusy = messages.some(
    (message) =>
      message.claim !== claim && message.claimedUntil !== null && Date.parse(message.claimedUntil) > now.getTime(),
  );
  if (isBusy) return [];
  let characters = 0;
  return messages.filter(({ text }) => (characters += text?.length ?? 0) <= MAX_DELIVERED_CHARACTERS);
}
