import * as z from "zod";

/** A text that may hold the answer to a question. */
export interface Passage {
  readonly text: string;
  readonly session: number;
  /** When its session took place. */
  readonly at: Date;
  /** The turns of the conversation that it is, or was taken from. */
  readonly turns: readonly string[];
}

export interface Question {
  readonly question: string;
  /** The turns that the answer follows from. */
  readonly evidence: ReadonlySet<string>;
}

export interface Conversation {
  readonly id: string;
  /** What was noted about the speakers, in the order in which it was said. */
  readonly observations: readonly Passage[];
  readonly turns: readonly Passage[];
  /** Those that have an answer: categories 1 to 4. */
  readonly questions: readonly Question[];
}

const observations = z.record(z.string(), z.array(z.tuple([z.string(), z.union([z.string(), z.array(z.string())])])));
const turns = z.array(
  z.object({ speaker: z.string(), dia_id: z.string(), text: z.string(), blip_caption: z.string().optional() }),
);
const sample = z.object({
  sample_id: z.string(),
  conversation: z.record(z.string(), z.unknown()),
  observation: z.record(z.string(), observations),
  qa: z.array(z.object({ question: z.string(), evidence: z.array(z.string()), category: z.number() })),
});

const UNANSWERABLE = 5;

/** Reads the file `locomo10.json`. */
export function readLocomo(json: unknown): Conversation[] {
  return z
    .array(sample)
    .parse(json)
    .map(({ sample_id: id, conversation, observation, qa }) => {
      const sessions = Object.entries(conversation).flatMap(([name, value]) => {
        const number = /^session_(\d+)$/.exec(name)?.[1];
        if (number === undefined) return [];
        const at = toDate(z.string().parse(conversation[`${name}_date_time`]));
        return [{ session: Number(number), at, said: turns.parse(value) }];
      });
      return {
        id,
        observations: sessions.flatMap(({ session, at }) =>
          Object.values(observation[`session_${session}_observation`] ?? {})
            .flat()
            .map(([text, source]) => ({ text, session, at, turns: [source].flat().flatMap(turnIds) }))
            .toSorted((one, other) => turnNumber(one.turns[0]) - turnNumber(other.turns[0])),
        ),
        turns: sessions.flatMap(({ session, at, said }) =>
          said.map(({ speaker, dia_id, text, blip_caption }) => ({
            text: [`${speaker}: ${text}`, blip_caption].filter((part) => part !== undefined).join(" "),
            session,
            at,
            turns: [dia_id],
          })),
        ),
        questions: qa
          .filter(({ category }) => category !== UNANSWERABLE)
          .map(({ question, evidence }) => ({ question, evidence: new Set(evidence.flatMap(turnIds)) })),
      };
    });
}

/** Some pieces of evidence name several turns, separated in different ways. */
function turnIds(text: string): string[] {
  return text.match(/D\d+:\d+/g) ?? [];
}

function turnNumber(turn: string | undefined): number {
  return Number(turn?.split(":")[1] ?? 0);
}

/** For example "1:56 pm on 8 May, 2023". */
function toDate(text: string): Date {
  const [, time = "", day = ""] = /^(.+) on (.+)$/.exec(text) ?? [];
  return new Date(`${day} ${time} UTC`);
}
