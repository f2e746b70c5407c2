import { transaction, type Db } from "@workspace/db";
import type { ExtractionModel } from "../extraction-model.ts";
import type { LabelledMemory, LabelledSession } from "./labelled-set.ts";

export interface ScriptedModel extends ExtractionModel {
  /** What the next transcripts are, and what was injected at their start. */
  play(session: LabelledSession, injected: readonly string[]): void;
  /** How many parts of transcripts it was asked about, and how many memories it proposed. */
  readonly counts: { readonly asked: number; readonly proposed: number };
}

/**
 * A model that finds in a part of a session what is labelled, and with it proposes what models really do: the same thing
 * again in other letters or other words, things that nobody said, what was injected at the start, and things of no known type.
 */
export function createScriptedModel(db: Db): ScriptedModel {
  let labelled: readonly LabelledMemory[] = [];
  let injectedMemories: readonly string[] = [];
  const counts = { asked: 0, proposed: 0 };

  return {
    counts,
    play(session, injected) {
      labelled = session.memories;
      injectedMemories = injected;
    },
    requireGateway: () => undefined,
    async ask({ messages }, save) {
      const part = messages.at(-1)?.content ?? "";
      const found = labelled.filter((memory) => part.includes(memory.excerpt));
      const memories = [...found.flatMap(variantsOf), ...injectedMemories.map(takeAgain), INVENTION, OPINION];
      counts.asked += 1;
      counts.proposed += memories.length;
      await transaction(db.pool, (client) => save(client, JSON.stringify({ memories })));
    },
  };
}

const INVENTION = {
  type: "decision",
  content: "All data is kept on a blockchain.",
  excerpt: "we put everything on a blockchain",
  relevance: 1,
};
const OPINION = { type: "opinion", content: "The code is nice.", excerpt: "the code is nice", relevance: 1 };

function variantsOf({ type, content, excerpt, relevance }: LabelledMemory): object[] {
  return [
    { type, content, excerpt, relevance },
    { type, content: ` ${content.toUpperCase().replaceAll(" ", "  ")}`, excerpt, relevance },
    { type, content: `To keep in mind: ${content}`, excerpt, relevance },
    { type, content, excerpt: excerpt.toUpperCase().split("").toReversed().join(""), relevance },
  ];
}

function takeAgain(content: string): object {
  return { type: "fact", content: `As known: ${content}`, excerpt: content.slice(0, 60), relevance: 0.9 };
}
