import { transaction, type Db } from "@workspace/db";
import type { ExtractionModel } from "../../src/assistants/memory/extraction-model.ts";
import type { LabelledMemory, LabelledSession } from "./labelled-set.ts";

export interface ScriptedModel extends ExtractionModel {
  /** Sets the session of the next transcripts, and what was injected at their start. */
  play(session: LabelledSession, injected: readonly string[]): void;
  /** The number of transcript parts it was asked about, and of memories it proposed. */
  readonly counts: { readonly asked: number; readonly proposed: number };
}

/**
 * A model that finds the labelled memories in a part of a session and, like real models, also proposes others: the same memory
 * in different spelling or wording, inventions, what was injected at the start, and memories of unknown types.
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
    requireModel: () => Promise.resolve(),
    async ask({ messages }, save) {
      const part = messages.at(-1)?.content ?? "";
      const found = labelled.filter((memory) => part.includes(memory.excerpt));
      const memories = [...found.flatMap(variantsOf), ...injectedMemories.map(repeatInjected), INVENTION, OPINION];
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

function repeatInjected(content: string): object {
  return { type: "fact", content: `As known: ${content}`, excerpt: content.slice(0, 60), relevance: 0.9 };
}
