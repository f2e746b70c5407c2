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

/** What having written a line counts for sessions other than the one to which it goes back. */
const BEFORE = 0.3;
const ELSEWHERE = 0.2;
const FIRST = 0.2;
/** For having written it with the whole file, as the first session in this file, and later. */
const FIRST_COPY = 0.5;
const COPY = 0.05;

/** What is known of a session while sessions are ranked. */
interface Standing {
  score: number;
  readonly lines: Map<SessionRole, number>;
  readonly touchedAt: Map<SessionRole, string>;
}

/**
 * Ranks sessions by the lines that they wrote, given every touch that is known, oldest first. A line goes back to the last session
 * that is known to have added it to the file, otherwise to another file, otherwise to the first that wrote a file with it. Lines
 * count less the more sessions wrote them. Whoever else wrote them follows, the first of all before the others. Sessions that wrote
 * none come last, the most recent first.
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
    const here = all.filter(({ isElsewhere }) => !isElsewhere);
    const author = here.findLast(isAddition) ?? all.findLast(isAddition) ?? here[0] ?? all[0];
    const first = all.find(isAddition) ?? all[0];
    const weight = 1 / new Set((here.length > 0 ? here : all).map(({ sessionId }) => sessionId)).size;
    // A session's touch of the file itself counts more than that of another file, and an addition more than a copy.
    const bySession = new Map<string, LineTouch>();
    for (const touch of all) {
      const known = bySession.get(touch.sessionId);
      if (known === undefined || rankOf(touch) >= rankOf(known)) bySession.set(touch.sessionId, touch);
    }
    for (const touch of bySession.values()) {
      const isAuthor = touch.sessionId === author?.sessionId;
      const role = touch.isElsewhere ? "wrote_elsewhere" : isAuthor ? "wrote" : "wrote_before";
      const copy = touch.sessionId === here[0]?.sessionId ? FIRST_COPY : COPY;
      const share = touch.isWhole ? copy : touch.isElsewhere ? ELSEWHERE : BEFORE;
      const bonus = touch.sessionId === first?.sessionId ? FIRST : 0;
      credit(touch, role, weight * (isAuthor ? 1 : share + bonus));
    }
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

/** Whether it is known that the lines were not there before. */
function isAddition({ isWhole }: LineTouch): boolean {
  return !isWhole;
}

function rankOf({ isWhole, isElsewhere }: LineTouch): number {
  return (isElsewhere ? 0 : 2) + (isWhole ? 0 : 1);
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
