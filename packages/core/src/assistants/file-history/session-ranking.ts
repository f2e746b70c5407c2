/** That a session wrote some of the lines that are asked about, or changed their file. */
export interface LineTouch {
  readonly sessionId: string;
  readonly touchedAt: string;
  /** Whether the whole file was written, so that it is unknown which lines were new. */
  readonly isWhole: boolean;
  /** Whether it is not the file that is asked about. */
  readonly isElsewhere: boolean;
  /** The keys of the lines that it wrote, among those that are asked about. */
  readonly keys: readonly number[];
}

/** What a session did to lines, the most decisive first. */
export const SESSION_ROLES = ["wrote", "wrote_before", "wrote_elsewhere", "changed_file"] as const;
export type SessionRole = (typeof SESSION_ROLES)[number];

export interface RankedSession {
  readonly sessionId: string;
  readonly role: SessionRole;
  /** How many of the lines it has that role for. */
  readonly lines: number;
  /** When it wrote them last, otherwise when it changed the file last. */
  readonly touchedAt: string;
}

/** What having written a line counts, if it is not the session to which the line as it is now goes back. */
const BEFORE = 0.3;
const COPIED = 0.05;

/** What is known of a session while sessions are ranked. */
interface Standing {
  score: number;
  readonly lines: Map<SessionRole, number>;
  readonly touchedAt: Map<SessionRole, string>;
}

/**
 * Ranks sessions by the lines that they wrote, given every touch that is known, oldest first. A line goes back to the last session
 * that is known to have added it, otherwise to the first that wrote a file with it. Lines count less the more sessions wrote them;
 * whoever wrote them before, or in another file, follows. Sessions that wrote none come last, the most recent first.
 */
export function rankSessions(keys: readonly number[], touches: readonly LineTouch[]): RankedSession[] {
  const standings = new Map<string, Standing>();
  const credit = ({ sessionId, touchedAt }: LineTouch, role: SessionRole, score: number): void => {
    const known = standings.get(sessionId) ?? { score: 0, lines: new Map(), touchedAt: new Map() };
    standings.set(sessionId, known);
    known.score += score;
    if (score > 0) known.lines.set(role, (known.lines.get(role) ?? 0) + 1);
    if (touchedAt > (known.touchedAt.get(role) ?? "")) known.touchedAt.set(role, touchedAt);
  };
  for (const touch of touches) if (!touch.isElsewhere) credit(touch, "changed_file", 0);
  const writers = writersByKey(touches);
  for (const key of keys) {
    const all = writers.get(key) ?? [];
    const [here, there] = [false, true].map((isElsewhere) => all.filter((touch) => touch.isElsewhere === isElsewhere));
    const author = authorOf(here ?? []);
    const source = authorOf(there ?? []);
    const bySession = new Map(here?.map((touch) => [touch.sessionId, touch]));
    const weight = 1 / Math.max(1, bySession.size);
    if (author !== undefined) credit(author, "wrote", weight);
    for (const touch of bySession.values())
      if (touch.sessionId !== author?.sessionId)
        credit(touch, "wrote_before", weight * (touch.isWhole ? COPIED : BEFORE));
    if (source !== undefined && !bySession.has(source.sessionId))
      credit(source, "wrote_elsewhere", author === undefined ? weight : weight * BEFORE);
  }
  return [...standings]
    .toSorted(([, one], [, other]) => other.score - one.score || compareTexts(lastOf(other), lastOf(one)))
    .map(([sessionId, { lines, touchedAt }]) => {
      const role = SESSION_ROLES.find((candidate) => touchedAt.has(candidate)) ?? "changed_file";
      return { sessionId, role, lines: lines.get(role) ?? 0, touchedAt: touchedAt.get(role) ?? "" };
    });
}

function lastOf({ touchedAt }: Standing): string {
  return [...touchedAt.values()].toSorted().at(-1) ?? "";
}

function writersByKey(touches: readonly LineTouch[]): Map<number, LineTouch[]> {
  const writers = new Map<number, LineTouch[]>();
  for (const touch of touches) {
    for (const key of touch.keys) {
      const known = writers.get(key);
      if (known === undefined) writers.set(key, [touch]);
      else known.push(touch);
    }
  }
  return writers;
}

/** To whom a line goes back, of those who wrote it, oldest first. */
function authorOf(writers: readonly LineTouch[]): LineTouch | undefined {
  return writers.findLast(({ isWhole }) => !isWhole) ?? writers[0];
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
