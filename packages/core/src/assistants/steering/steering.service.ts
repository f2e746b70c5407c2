import { transaction, type Listener } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { ConflictError, InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import { createNotifiedWaits } from "../../platform/notified-waits.ts";
import { createPager, timeAndId, type Page } from "../../platform/paging.ts";
import type { Redactor } from "../../platform/redactor.ts";
import { selectSessionOverview } from "../hooks/hook-session.queries.ts";
import { createInstructionDelivery, type InstructionAnnouncer } from "./instruction-delivery.ts";
import {
  deleteInstructionsBefore,
  endInstruction,
  insertInstruction,
  selectInstruction,
  selectInstructions,
  selectRunningSessions,
  selectStandingOfKind,
} from "./session-instruction.queries.ts";
import type {
  GiveInstruction,
  InstructionKind,
  ListInstructions,
  ListRunningSessions,
  RunningSession,
  SessionInstruction,
} from "./session-instruction.schema.ts";

/** Notifies all processes, by session, that its instructions have changed. */
const CHANNEL = "workspace_steering";
const MAX_STANDING = 30;
const RUNNING_MS = 60 * 60 * 1000;
const KEPT_MS = 90 * 24 * 60 * 60 * 1000;

const LABELS: Readonly<Record<InstructionKind, string>> = { message: "Message", pause: "Pause", stop: "Stop" };

const readInstructions = createPager("session-instructions", timeAndId, ({ createdAt, id }: SessionInstruction) => [
  createdAt,
  id,
]);
const readRunning = createPager("running-sessions", timeAndId, ({ lastEventAt, lastEventId }: RunningSession) => [
  lastEventAt,
  lastEventId,
]);

export interface SteeringServiceDeps extends Deps<"db" | "clock" | "ids" | "events"> {
  readonly listener: Listener;
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

  const announce: InstructionAnnouncer = async (sessionId, { id, kind }, action) => {
    await waits.wake(sessionId);
    events.publish({ resource: "approval", action, resourceId: id, resourceName: LABELS[kind] });
  };

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

  return {
    ...createInstructionDelivery({ db, clock, waits, announce }),

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
        await announce(sessionId, { id, kind }, "create");
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
      await announce(ended.sessionId, { id, kind: ended.kind }, "edit");
      return instruction;
    },

    /** Newest first. */
    list({ sessionId, limit, cursor }: ListInstructions): Promise<Page<SessionInstruction>> {
      const search = { sessionId, now: clock.now() };
      return readInstructions({ limit, cursor, filter: { sessionId } }, (range) =>
        selectInstructions(db.pool, search, range),
      );
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
