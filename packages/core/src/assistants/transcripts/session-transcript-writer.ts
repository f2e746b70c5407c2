import { createHash } from "node:crypto";
import { transaction, type PoolClient } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { inSlices } from "../../platform/in-slices.ts";
import { toCreatedAt } from "../../platform/occurred-at.ts";
import type { Redactor } from "../../platform/redactor.ts";
import { cutMiddle } from "./cut-middle.ts";
import {
  extendSessionTranscript,
  insertTranscriptPart,
  lockSessionTranscript,
  selectTurnKeys,
} from "./session-transcript.queries.ts";
import { shortenInput } from "./shorten-input.ts";
import type { Turn } from "./transcript-turns.ts";
import { packTurns, type StoredTurn } from "./turn-codec.ts";
import { turnPositions } from "./turn-positions.ts";

/** More than a day of work. Later turns of a longer session are left out. */
const MAX_TURNS = 20_000;
const MAX_CHARACTERS = 32 * 1024 * 1024;
const MAX_TEXT_CHARS: Record<Turn["kind"], number> = {
  user: 50_000,
  assistant: 50_000,
  /** Enough to show what an edit changed. */
  tool_call: 12_000,
  tool_result: 4_000,
};
/** A secret at the cut must still be seen as a whole. */
const CUT_MARGIN = 4_000;
/** Turns that are compressed together: enough to be small, and little enough to read one of them. */
const PART_CHARACTERS = 48_000;
const KEY_BYTES = 8;
/** Hashing so much takes less than a millisecond. */
const MAX_HASHED_CHARS = 200_000;

export interface TranscriptSession {
  readonly sessionId: string;
  readonly projectPath: string | null;
  /** Whether later turns are left out of what is sent. */
  readonly isCut?: boolean | undefined;
}

export interface WrittenTurns {
  /** The position of each turn; null for one that is not kept. */
  readonly positions: readonly (number | null)[];
  readonly addedTurns: number;
}

export interface TranscriptWriterDeps extends Deps<"db" | "clock"> {
  readonly redactor: Redactor;
}

/** A turn that is to be stored, with its key. */
interface NewTurn {
  readonly turn: StoredTurn;
  readonly key: string;
}

/** Stores turns that are not known yet. Processes that are sent the same transcript write it one after the other. */
export function createTranscriptWriter({ db, clock, redactor }: TranscriptWriterDeps) {
  const shorten = (text: string, limit: number): string =>
    cutMiddle(redactor.redact(cutMiddle(text, limit + CUT_MARGIN)), limit);

  function toStoredTurn({ kind, text, toolName, occurredAt, hasFailed = false, callId }: Turn, now: Date): StoredTurn {
    const limit = MAX_TEXT_CHARS[kind];
    return {
      kind,
      toolName: toolName === undefined ? null : redactor.redact(toolName.slice(0, 200)),
      text: storable(kind === "tool_call" ? redactor.redact(shortenInput(text, limit, shorten)) : shorten(text, limit)),
      occurredAt: occurredAt === undefined ? null : toCreatedAt(occurredAt, now),
      hasFailed,
      callId: callId === undefined ? null : storable(callId),
    };
  }

  async function writeParts(client: PoolClient, sessionId: string, turns: readonly NewTurn[], from: number) {
    let start = 0;
    let characters = 0;
    for (const [index, { turn }] of turns.entries()) {
      characters += turn.text.length;
      if (characters < PART_CHARACTERS && index < turns.length - 1) continue;
      const own = turns.slice(start, index + 1);
      await insertTranscriptPart(client, sessionId, {
        firstPosition: from + start,
        turnCount: own.length,
        turns: await packTurns(own.map((each) => each.turn)),
        keys: Buffer.from(own.map(({ key }) => key).join(""), "hex"),
      });
      start = index + 1;
      characters = 0;
    }
  }

  return {
    async write(session: TranscriptSession, turns: readonly Turn[]): Promise<WrittenTurns> {
      const now = clock.now();
      const keys: string[] = [];
      await inSlices(turns, (turn) => keys.push(keyOf(turn)));
      return transaction(db.pool, async (client) => {
        const known = await lockSessionTranscript(client, { ...session, now });
        const knownKeys = await splitKeys(await selectTurnKeys(client, session.sessionId));
        const positions = await turnPositions(knownKeys, keys);
        const added: NewTurn[] = [];
        let characters = 0;
        await inSlices(turns.entries(), ([index, turn]) => {
          const isNew = (positions[index] ?? 0) > known.turnCount;
          const isFull =
            known.turnCount + added.length >= MAX_TURNS || known.characterCount + characters >= MAX_CHARACTERS;
          if (!isNew || isFull) return;
          const stored = toStoredTurn(turn, now);
          characters += stored.text.length;
          added.push({ turn: stored, key: keys[index] ?? "" });
        });
        await writeParts(client, session.sessionId, added, known.turnCount + 1);
        const kept = known.turnCount + added.length;
        await extendSessionTranscript(client, session.sessionId, {
          addedTurns: added.length,
          addedCharacters: characters,
          isComplete: session.isCut !== true && positions.every((position) => position <= kept),
          now,
        });
        return {
          positions: positions.map((position) => (position > kept ? null : position)),
          addedTurns: added.length,
        };
      });
    },
  };
}

/**
 * By what was said, not what is stored, so that a secret that is stored later does not make it another turn. Without the space
 * around it, with which earlier versions did not store it either.
 */
function keyOf({ kind, text: whole, toolName = "" }: Turn): string {
  const text = whole.trim();
  const hash = createHash("sha256").update(`${kind}\0${toolName}\0${text.length}\0`);
  return hash
    .update(cutMiddle(text, MAX_HASHED_CHARS))
    .digest("hex")
    .slice(0, 2 * KEY_BYTES);
}

async function splitKeys(keys: Buffer): Promise<string[]> {
  const split: string[] = [];
  await inSlices(Array(keys.length / KEY_BYTES).keys(), (index) =>
    split.push(keys.toString("hex", index * KEY_BYTES, (index + 1) * KEY_BYTES)),
  );
  return split;
}

function storable(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}
