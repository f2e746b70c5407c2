import type { Clock } from "../../platform/clock.ts";
import type { createMemoryExtractionService } from "../memory-extraction.service.ts";
import type { MemoryService } from "../memory.service.ts";
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
  /** Of those stored, the ones that are labelled. */
  readonly right: number;
  /** Of those stored, the ones that say in other letters what another one says. */
  readonly duplicates: number;
  /** Labelled as nearly the same as an earlier one; and stored with a flag that says so, rightly or not. */
  readonly repeats: number;
  readonly flagged: number;
  /** Stored when every transcript was extracted a second time, and parts that the model was asked about for it. */
  readonly storedAgain: number;
  readonly askedAgain: number;
}

export interface ExtractionSetUp {
  readonly extraction: ReturnType<typeof createMemoryExtractionService>;
  readonly memory: MemoryService;
  readonly model: ScriptedModel;
  readonly clock: Clock & { set(instant: Date): void };
}

/** Extracts each session at its time, with the project's memories injected at its start, then all of them once more. */
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
