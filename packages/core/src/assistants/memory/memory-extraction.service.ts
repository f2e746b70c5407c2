import { createHash } from "node:crypto";
import type { Deps } from "../../platform/deps.ts";
import { UnavailableError } from "../../platform/errors.ts";
import { inSlices } from "../../platform/in-slices.ts";
import type { Redactor } from "../../platform/redactor.ts";
import type { KeptTranscript } from "../transcripts/session-transcript.schema.ts";
import type { SessionTranscriptService } from "../transcripts/session-transcript.service.ts";
import type { TranscriptSource } from "../transcripts/transcript-source.ts";
import { readTurns, type Turn } from "../transcripts/transcript-turns.ts";
import type { ExtractionModel } from "./extraction-model.ts";
import { removeInjectedText } from "./injected-text.ts";
import { toSteps } from "./memory-use.ts";
import { observeMemoryUse } from "./memory-use-observation.ts";
import { createMemoryPublisher } from "./memory-events.ts";
import type { ExtractedMemory, ExtractionStatus, ExtractMemory, KeepTranscript, MemoryChunk } from "./memory.schema.ts";
import { summarizePendingExtractions } from "./pending-extraction.queries.ts";
import { createPendingExtractions, type NewWindow, type WindowExtractor } from "./pending-extractions.ts";
import { storedProject } from "./given-project.ts";
import { toWindows } from "./transcript-windows.ts";
import { createWindowExtraction } from "./window-extraction.ts";

export interface MemoryExtractionServiceDeps extends Deps<"db" | "clock" | "ids" | "events" | "logger"> {
  readonly redactor: Redactor;
  readonly transcripts: TranscriptSource;
  readonly sessionTranscripts: Pick<SessionTranscriptService, "add" | "find">;
  readonly model: ExtractionModel;
}

/** The session that a transcript is of. */
interface Origin {
  readonly sessionId: string | null;
  readonly projectPath: string | null;
  readonly isCut: boolean | undefined;
}

export type MemoryExtractionService = ReturnType<typeof createMemoryExtractionService>;

/** Takes memories out of the transcripts of assistants' sessions, which are kept to be read. */
export function createMemoryExtractionService(deps: MemoryExtractionServiceDeps) {
  const { db, clock, events, redactor, transcripts, sessionTranscripts, model } = deps;
  /** By transcript, so that one that is sent twice at once is read and paid for once. */
  const underWay = new Map<string, Promise<MemoryChunk[]>>();
  const pending = createPendingExtractions(deps);
  const windowExtraction = createWindowExtraction({ ...deps, publish: createMemoryPublisher(events) });

  /** Keeps what was said in a session, if it has one, and returns the parts to be read by the model. */
  async function readWindows(
    { sessionId, projectPath, isCut }: Origin,
    said: readonly Turn[],
  ): Promise<readonly NewWindow[]> {
    const session = sessionId === null ? null : { sessionId, projectPath, isCut };
    const positions = session === null ? [] : await sessionTranscripts.add(session, said);
    if (sessionId !== null) await observeMemoryUse(db.pool, sessionId, { steps: toSteps(said), until: clock.now() });
    const windows: NewWindow[] = [];
    await inSlices(toWindows(said), ({ text, pieces }) => {
      const turns = pieces.map((piece) => ({
        position: positions[piece.turn] ?? null,
        text: redactor.redact(piece.text),
      }));
      // Hashed as it was said, so that a secret stored later does not make it another one.
      windows.push({ hash: sha256(text), text: redactor.redact(text), turns, sessionId, projectPath });
    });
    return windows;
  }

  const isModelConfigured = (): Promise<boolean> =>
    model.requireModel().then(
      () => true,
      (error: unknown) => {
        if (error instanceof UnavailableError) return false;
        throw error;
      },
    );

  const pendingExtractor: WindowExtractor = {
    isReady: isModelConfigured,
    extract: (window, signal) => windowExtraction.extract([window], signal),
  };

  return {
    /**
     * Keeps the transcript of a session, and returns what is kept of it; null if transcripts are not kept. With `extract`,
     * memories are extracted from it later, so that the sender need not wait for a model, nor for one to be configured.
     */
    async keep(input: KeepTranscript): Promise<KeptTranscript | null> {
      const { sessionId, transcript, isCut, extract } = input;
      const origin = { sessionId, projectPath: await storedProject(db.pool, input.projectPath ?? null), isCut };
      const said = await removeInjectedText(await readTurns(transcript));
      if (extract === true) await pending.add(await windowExtraction.withoutExtracted(await readWindows(origin, said)));
      else await sessionTranscripts.add(origin, said);
      return sessionTranscripts.find(sessionId);
    },

    /** Extracts memories from what was kept for it, in the background, until it is closed. */
    startExtraction: () => pending.start(pendingExtractor),

    /** Extracts memories from what is due. */
    extractPending: () => pending.extractDue(pendingExtractor, new AbortController().signal),

    async extractionStatus(): Promise<ExtractionStatus> {
      return { isModelConfigured: await isModelConfigured(), ...(await summarizePendingExtractions(db.pool)) };
    },

    /**
     * Reads the whole transcript, keeps it if it has a session, and stores what is worth remembering. Idempotent: a transcript
     * that was extracted before adds nothing and costs nothing, one that has grown costs what is new. Throws as {@link TranscriptSource.read} and
     * {@link ExtractionModel} do; the memories of the parts before the failure are stored, and the next call goes on there.
     */
    async extract(input: ExtractMemory): Promise<ExtractedMemory> {
      const sessionId = input.sessionId ?? null;
      const projectPath = await storedProject(db.pool, input.projectPath ?? null);
      const said = await removeInjectedText(await readTurns(await transcripts.read(input)));
      const windows = await readWindows({ sessionId, projectPath, isCut: input.isCut }, said);
      await model.requireModel();
      const key = windows.map((window) => window.hash).join();
      const extraction = underWay.get(key) ?? windowExtraction.extract(windows, new AbortController().signal);
      underWay.set(key, extraction);
      try {
        const memories = await extraction;
        return { data: memories, message: describe(memories.length) };
      } finally {
        underWay.delete(key);
      }
    },
  };
}

function describe(count: number): string {
  return count === 0 ? "No memories worth extracting" : `Extracted ${count} memories`;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
