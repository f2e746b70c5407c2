import type { Db } from "@workspace/db";
import { storedProject } from "../memory/given-project.ts";
import { foldersAbove, toFilePath } from "../memory/project-path.ts";
import { selectTranscriptParts } from "../transcripts/session-transcript.queries.ts";
import { unpackTurns } from "../transcripts/turn-codec.ts";
import {
  type FileName,
  type SessionMoment,
  findRootFolder,
  selectSessionMoments,
  selectTouchesOfLines,
  selectTouchesOfFile,
  selectWhyMemories,
} from "./file-history.queries.ts";
import type { FileWhy, Why } from "./file-history.schema.ts";
import { rankSessions } from "./session-ranking.ts";
import { isAbsolute, lineKeys, pathFromRoot } from "./written-lines.ts";

/** How many lines are compared; of more, some from everywhere. */
const MAX_KEYS = 200;
/** How many lines are looked for in all files. */
const MAX_SOUGHT = 24;
const MAX_PROMPT_LENGTH = 2000;

export type FileHistoryService = ReturnType<typeof createFileHistoryService>;

/** Which sessions changed files, and what for. */
export function createFileHistoryService({ db }: { readonly db: Db }) {
  return {
    /** What shaped lines of a file: sessions, the most decisive first, their prompts, and memories. */
    async why({ path: given, lines = "", projectPath: givenProject, limit }: Why): Promise<FileWhy> {
      const projectPath = givenProject === undefined ? undefined : toFilePath(givenProject);
      const file = await findFile(toFilePath(given), projectPath);
      const keys = spread([...new Set(lineKeys(lines))], MAX_KEYS);
      const here = await selectTouchesOfFile(db.pool, file, keys);
      const known = new Set(here.flatMap((touch) => touch.keys));
      const everywhere = await selectTouchesOfLines(db.pool, file, soughtKeys(keys, known));
      const ranked = rankSessions(keys, [...here, ...everywhere].toSorted(byTime)).slice(0, limit);
      const ids = ranked.map(({ sessionId }) => sessionId);
      const names = [file.project, projectPath].filter((name) => name !== undefined);
      const [moments, memories] = await Promise.all([
        selectSessionMoments(db.pool, ranked),
        selectWhyMemories(db.pool, ids, file.path, names),
      ]);
      const sessions = await Promise.all(
        ranked.map(async (session) => {
          const { sessionId } = session;
          const moment = moments.get(sessionId) ?? { prompt: null, askedAt: null, turn: null };
          const page = `/hooks/sessions/${encodeURIComponent(sessionId)}`;
          return {
            ...session,
            prompt: await promptOf(sessionId, moment),
            turn: moment.turn,
            link: moment.turn === null ? page : `${page}?turn=${moment.turn}`,
            memories: memories.filter((memory) => memory.sessionId === sessionId),
          };
        }),
      );
      const others = memories.filter(({ sessionId }) => sessionId === null || !ids.includes(sessionId));
      return { path: file.path, projectPath: file.project ?? null, lines: keys.length, sessions, memories: others };
    },
  };

  /**
   * A folder is known by the sessions that worked in it, under the name of the project that they had there. In one where none has,
   * the file may be that of any project.
   */
  async function findFile(given: string, projectPath: string | undefined): Promise<FileName> {
    const folder = projectPath !== undefined && isAbsolute(projectPath) ? projectPath : "";
    const path = pathFromRoot(given, folder, folder);
    const whole = pathFromRoot(given, "", folder);
    const known = isAbsolute(whole) ? await findRootFolder(db.pool, foldersAbove(whole)) : undefined;
    if (known !== undefined) return { project: known.project, path: pathFromRoot(whole, known.folder, known.folder) };
    return { project: folder === "" ? await storedProject(db.pool, projectPath) : undefined, path };
  }

  /** From the transcript, if the hooks did not record it. */
  async function promptOf(
    sessionId: string,
    { prompt, askedAt, turn }: SessionMoment,
  ): Promise<FileWhy["sessions"][number]["prompt"]> {
    if (prompt !== null) return { text: prompt.slice(0, MAX_PROMPT_LENGTH), askedAt };
    if (turn === null) return null;
    const [part] = await selectTranscriptParts(db.pool, sessionId, { from: turn, turns: 1, parts: 1 });
    if (part === undefined) return null;
    const turns = (await unpackTurns(part.turns)).slice(0, turn - part.firstPosition + 1);
    const asked = turns.findLast(({ kind }) => kind === "user");
    return asked === undefined ? null : { text: asked.text.slice(0, MAX_PROMPT_LENGTH), askedAt: asked.occurredAt };
  }
}

/** The lines to look for in all files: first those that nobody is known to have written in this one; of many, some. */
function soughtKeys(keys: readonly number[], known: ReadonlySet<number>): number[] {
  const unknown = spread(
    keys.filter((key) => !known.has(key)),
    MAX_SOUGHT,
  );
  const others = keys.filter((key) => known.has(key));
  return [...unknown, ...spread(others, MAX_SOUGHT - unknown.length)];
}

/** At most so many keys, at equal distances. */
function spread(keys: readonly number[], max: number): number[] {
  const count = Math.min(keys.length, max);
  return Array.from({ length: count }, (_, index) => keys[Math.floor((index * keys.length) / count)] ?? 0);
}

function byTime(one: { readonly touchedAt: string }, other: { readonly touchedAt: string }): number {
  return one.touchedAt < other.touchedAt ? -1 : one.touchedAt > other.touchedAt ? 1 : 0;
}
