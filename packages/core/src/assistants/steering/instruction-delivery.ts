import { transaction } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import type { NotifiedWaits } from "../../platform/notified-waits.ts";
import {
  claimInstructions,
  endInstruction,
  lockStanding,
  markDelivered,
  selectStanding,
  type StandingInstruction,
} from "./session-instruction.queries.ts";
import type {
  ConfirmInstructions,
  TakeInstructions,
  TakenInstructions,
  WatchSession,
} from "./session-instruction.schema.ts";

/** A hook says within this time that it has delivered what it took; otherwise another one does. */
const CLAIM_MS = 15_000;
/** Assistants cut off what is longer. */
const MAX_DELIVERED_CHARACTERS = 8_000;
const NOBODY = "A person";

/** Reports what has happened to an instruction for a session. */
export type InstructionAnnouncer = (
  sessionId: string,
  instruction: Pick<StandingInstruction, "id" | "kind">,
  action: "create" | "edit",
) => Promise<void>;

export interface InstructionDeliveryDeps extends Deps<"db" | "clock"> {
  /** By session. */
  readonly waits: Pick<NotifiedWaits, "wait">;
  readonly announce: InstructionAnnouncer;
}

/** What hooks take, and deliver, of what a person has for their session. */
export function createInstructionDelivery({ db, clock, waits, announce }: InstructionDeliveryDeps) {
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
          await announce(sessionId, pause, "edit");
        }
        await waits.wait(sessionId, hook.waitMs, read, (rows) => (pauseOf(rows) === undefined ? 0 : Infinity));
      }
      const { pause, stop, messages, ended } = await claim(hook);
      if (ended !== undefined) await announce(sessionId, ended, "edit");
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
      for (const instruction of delivered) await announce(sessionId, instruction, "edit");
      return { delivered: delivered.length };
    },

    /** Waits a while for something that the hooks of a session have to do. */
    async watch({ sessionId, waitMs }: WatchSession): Promise<{ isSteered: boolean }> {
      const read = () => selectStanding(db.pool, sessionId);
      const standing = await waits.wait(sessionId, waitMs, read, ({ length }) => (length > 0 ? 0 : Infinity));
      return { isSteered: standing.length > 0 };
    },
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
