import * as z from "zod";
import type { SearchSet } from "@workspace/core/testing";
import { ORDINARY_PROMPTS } from "./ordinary-prompts.ts";

/** A part of a conversation. */
interface Part {
  readonly text: string;
  readonly session: number;
  /** When its session took place. */
  readonly at: Date;
  /** The turns of the conversation that it is, or was taken from. */
  readonly turns: readonly string[];
}

/** A conversation as two sets with the same questions. */
export interface Conversation {
  /** Of what was noted about the speakers, in the order in which it was said. */
  readonly observations: SearchSet;
  readonly turns: SearchSet;
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

/** The kinds of questions by their categories; those of category 5 have no answer. */
const KINDS = ["", "multi-hop", "temporal", "open-domain", "single-hop"];

/** Reads the file `locomo10.json`. */
export function readLocomo(json: unknown): Conversation[] {
  return z
    .array(sample)
    .parse(json)
    .map(({ sample_id: id, conversation, observation, qa }) => {
      const project = `/conversations/${id}`;
      const sessions = Object.entries(conversation).flatMap(([name, value]) => {
        const number = /^session_(\d+)$/.exec(name)?.[1];
        if (number === undefined) return [];
        const at = toDate(z.string().parse(conversation[`${name}_date_time`]));
        return [{ session: Number(number), at, said: turns.parse(value) }];
      });
      const questions = qa.map(({ question, evidence, category }) => ({
        text: question,
        kind: KINDS[category] ?? "",
        evidence: new Set(evidence.flatMap(turnIds)),
      }));
      /** A question counts if any part holds evidence for its answer. */
      const toSet = (parts: readonly Part[]): SearchSet => ({
        passages: parts.map(({ text, session, at }) => ({
          text,
          type: "fact",
          project,
          session: `${id}/${session}`,
          at,
        })),
        questions: questions.flatMap(({ text, kind, evidence }) => {
          const places = parts.flatMap((part, place) => (part.turns.some((turn) => evidence.has(turn)) ? [place] : []));
          return kind === "" || places.length === 0 ? [] : [{ text, kind, project, relevant: new Set(places) }];
        }),
        prompts: ORDINARY_PROMPTS.map((text) => ({ text, project })),
        searchesAll: false,
      });
      return {
        observations: toSet(
          sessions.flatMap(({ session, at }) =>
            Object.values(observation[`session_${session}_observation`] ?? {})
              .flat()
              .map(([text, source]) => ({ text, session, at, turns: [source].flat().flatMap(turnIds) }))
              .toSorted((one, other) => turnNumber(one.turns[0]) - turnNumber(other.turns[0])),
          ),
        ),
        turns: toSet(
          sessions.flatMap(({ session, at, said }) =>
            said.map(({ speaker, dia_id, text, blip_caption }) => ({
              text: [`${speaker}: ${text}`, blip_caption].filter((part) => part !== undefined).join(" "),
              session,
              at,
              turns: [dia_id],
            })),
          ),
        ),
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
