import type { createMemoryExtractionService } from "../../src/assistants/memory/memory-extraction.service.ts";
import type { MemoryService } from "../../src/assistants/memory/memory.service.ts";
import type { Clock } from "../../src/platform/clock.ts";
import type { LabelledSession } from "./labelled-set.ts";
import { renderTranscript } from "./render-transcript.ts";
import type { ScriptedModel } from "./scripted-model.ts";

const DAY_MS = 86_400_000;

export interface ExtractionFigures {
  readonly sessions: number;
  readonly characters: number;
  readonly windows: number;
  readonly proposed: number;
  readonly labelled: number;
  readonly stored: number;
  /** Stored memories that are labelled. */
  readonly right: number;
  /** Stored memories that differ from another one only in spelling. */
  readonly duplicates: number;
  /** Memories labelled as near duplicates of earlier ones; and memories flagged as such, correctly or not. */
  readonly repeats: number;
  readonly flagged: number;
  /** What was stored, and how many parts the model was asked about, when every transcript was extracted a second time. */
  readonly storedAgain: number;
  readonly askedAgain: number;
}

export interface ExtractionSetUp {
  readonly extraction: ReturnType<typeof createMemoryExtractionService>;
  readonly memory: MemoryService;
  readonly model: ScriptedModel;
  readonly clock: Clock & { set(instant: Date): void };
}

/** Extracts each session at its time, with the project's memories injected at its start, and then all of them again. */
export async function measureExtraction(
  sessions: readonly LabelledSession[],
  { extraction, memory, model, clock }: ExtractionSetUp,
): Promise<ExtractionFigures> {
  const now = clock.now();
  const stored = new Map<string, { content: string; isRight: boolean; isFlagged: boolean }>();
  const transcripts: { session: LabelledSession; transcript: string }[] = [];
  for (const session of sessions) {
    clock.set(new Date(now.getTime() - session.daysAgo * DAY_MS));
    const { memories, formatted } = await memory.context({ project: session.project, limit: 20 });
    model.play(
      session,
      memories.map(({ content }) => content),
    );
    const transcript = renderTranscript(session, formatted);
    transcripts.push({ session, transcript });
    const { data } = await extraction.extract({ transcript, sessionId: session.id, projectPath: session.project });
    for (const { id, content, nearDuplicateOfId } of data) {
      const isRight = session.memories.some((labelled) => labelled.content === content);
      stored.set(id, { content, isRight, isFlagged: nearDuplicateOfId !== null });
    }
  }
  clock.set(now);
  const { asked, proposed } = model.counts;
  let storedAgain = 0;
  for (const { session, transcript } of transcripts) {
    model.play(session, []);
    storedAgain += (await extraction.extract({ transcript, sessionId: session.id, projectPath: session.project })).data
      .length;
  }
  const contents = [...stored.values()].map(({ content }) => content.toLowerCase().replaceAll(/\W+/g, ""));
  return {
    sessions: sessions.length,
    characters: transcripts.reduce((sum, { transcript }) => sum + transcript.length, 0),
    windows: asked,
    proposed,
    labelled: sessions.reduce((sum, session) => sum + session.memories.length, 0),
    stored: stored.size,
    right: [...stored.values()].filter(({ isRight }) => isRight).length,
    duplicates: contents.length - new Set(contents).size,
    repeats: sessions.flatMap((session) => session.memories).filter(({ repeats }) => repeats).length,
    flagged: [...stored.values()].filter(({ isFlagged }) => isFlagged).length,
    storedAgain,
    askedAgain: model.counts.asked - asked,
  };
}
