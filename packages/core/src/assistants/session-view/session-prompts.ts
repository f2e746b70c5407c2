import { inSlices } from "../../platform/in-slices.ts";
import { fileEdits } from "../file-history/written-lines.ts";
import type { SessionTurn } from "../transcripts/session-transcript.schema.ts";
import { callEvents } from "./call-events.ts";
import { recordOfChanges } from "./prompt-changes.ts";
import type { ViewedEvent } from "./session-view.queries.ts";
import { MAX_ANSWER_TEXT, MAX_PROMPT_TEXT, type PromptChanges, type SessionPrompt } from "./session-view.schema.ts";

/** A turn without what an outline does not show. */
export interface OutlinedTurn extends Pick<SessionTurn, "position" | "kind" | "hasFailed" | "occurredAt" | "callId"> {
  /** The beginning of what was said. */
  readonly text: string;
  /** The files that a call edits. */
  readonly paths: readonly string[];
}

/** What an input must contain to be of a tool that edits files; parsing all of them would take long. */
const EDIT = /"(?:new_?string|content|contents|edits|new_source|patch|input)"|\*\*\* Begin Patch/i;
const MAX_INPUT = 100_000;
/** So much of two texts is compared to find out whether they are the same prompt. */
const COMPARED_TEXT = 60;
/** Prompts that were kept from the assistant are not in its transcript, so a few may be missing there. */
const MAX_SKIPPED = 5;
/** How a background task of the assistant reports its end. It is no prompt. */
const NOTIFICATION = /^\s*<task-notification>/;

export function outlinedTurn({ text, toolName: _name, ...turn }: SessionTurn): OutlinedTurn {
  if (turn.kind === "tool_call") return { ...turn, text: "", paths: editedPaths(text) };
  return { ...turn, text: turn.kind === "tool_result" ? "" : text.slice(0, MAX_PROMPT_TEXT + 1), paths: [] };
}

function editedPaths(text: string): readonly string[] {
  if (text.length > MAX_INPUT || !EDIT.test(text)) return [];
  try {
    const input: unknown = JSON.parse(text);
    if (typeof input === "object" && input !== null) return fileEdits({ ...input }).map(({ path }) => path);
  } catch {
    // A patch as it is.
  }
  return fileEdits({ patch: text }).map(({ path }) => path);
}

/** A prompt with what follows it. */
interface Section {
  readonly id: string;
  readonly text: string | null;
  readonly isBlocked: boolean;
  readonly turns: readonly OutlinedTurn[];
  readonly since: string | null;
}

/** What is known of a session, or of its last part. */
export interface ViewedSession {
  readonly turns: readonly OutlinedTurn[];
  readonly events: readonly ViewedEvent[];
}

/**
 * The prompts of a session in order, without their cost. What the transcript has comes from there; the rest are events. Pauses for other
 * work.
 */
export async function promptsOf({ turns, events }: ViewedSession): Promise<SessionPrompt[]> {
  const end = lastTime(turns);
  const sections = withTimes(
    sectionsOf(turns),
    events.filter(({ eventType, prompt }) => eventType === "UserPromptSubmit" && !NOTIFICATION.test(prompt ?? "")),
    end,
  );
  const own = eventsBySection(sections, events);
  const changes = await recordOfChanges(own);
  const prompts: SessionPrompt[] = [];
  let until: string | null = null;
  // From the last one, since one ends where the next begins.
  await inSlices([...sections.entries()].toReversed(), ([index, section]) => {
    const facts = { events: own[index] ?? [], until, end, changes: changes[index] ?? null };
    prompts.push(toPrompt(section, facts));
    until = section.since ?? until;
  });
  return prompts.toReversed().filter(({ text, calls, answer }) => text !== null || calls > 0 || answer !== null);
}

function sectionsOf(turns: readonly OutlinedTurn[]): Section[] {
  const groups: OutlinedTurn[][] = [];
  for (const turn of turns) {
    const last = groups.at(-1);
    const continues = last !== undefined && (turn.kind !== "user" || last.every(({ kind }) => kind === "user"));
    if (continues) last.push(turn);
    else groups.push([turn]);
  }
  return groups.map((group) => {
    const said = group.filter(({ kind }) => kind === "user").map(({ text }) => text);
    return {
      id: `turn-${group[0]?.position}`,
      text: said.length === 0 ? null : said.join("\n\n"),
      isBlocked: false,
      turns: group,
      since: group[0]?.occurredAt ?? null,
    };
  });
}

/** Gives prompts of the transcript the time at which a hook saw them, and adds those that are not in it. */
function withTimes(sections: readonly Section[], prompts: readonly ViewedEvent[], end: string | null): Section[] {
  const timed: Section[] = [];
  let next = 0;
  for (const event of prompts) {
    const { id, prompt, createdAt, blocked } = event;
    const found = sections.slice(next, next + MAX_SKIPPED).findIndex(({ text }) => isSameText(text, prompt));
    if (found !== -1) {
      timed.push(...sections.slice(next, next + found));
      const section = sections[next + found];
      // Whoever reads the session keeps what is unfolded when the transcript arrives.
      if (section !== undefined) timed.push({ ...section, id, since: createdAt, isBlocked: blocked });
      next += found + 1;
    } else if (blocked || end === null || createdAt > end) {
      const earlier = sections.slice(next).findIndex(({ since }) => since !== null && since > createdAt);
      const before = sections.slice(next, earlier === -1 ? undefined : next + earlier);
      timed.push(...before, { id, text: prompt ?? "", isBlocked: blocked, turns: [], since: createdAt });
      next += before.length;
    }
  }
  const all = [...timed, ...sections.slice(next)];
  // What was done before the first prompt.
  const start = { id: "start", text: null, isBlocked: false, turns: [], since: null };
  return all[0]?.text === null ? all : [start, ...all];
}

function isSameText(one: string | null, other: string | null): boolean {
  return beginning(one) === beginning(other);
}

function beginning(text: string | null): string {
  return (text ?? "")
    .slice(0, 4 * COMPARED_TEXT)
    .replace(/\s+/g, "")
    .slice(0, COMPARED_TEXT);
}

/** The events of each section. */
function eventsBySection(sections: readonly Section[], events: readonly ViewedEvent[]): ViewedEvent[][] {
  const own = sections.map((): ViewedEvent[] => []);
  let at = 0;
  for (const event of events) {
    for (let next = at + 1; next < sections.length; next += 1) {
      const since = sections[next]?.since ?? null;
      if (since === null) continue;
      if (since > event.createdAt) break;
      at = next;
    }
    own[at]?.push(event);
  }
  return own;
}

interface SectionFacts {
  readonly events: readonly ViewedEvent[];
  readonly until: string | null;
  /** When the last turn of the transcript was. */
  readonly end: string | null;
  readonly changes: PromptChanges | null;
}

function toPrompt(section: Section, { events, until, end, changes }: SectionFacts): SessionPrompt {
  const { id, text, turns, since, isBlocked } = section;
  const ids = new Set(turns.flatMap(({ callId }) => callId ?? []));
  const calls = callEvents(events);
  const others = calls.filter((call) => isBesideTranscript(call, { ids, end, hasTurns: turns.length > 0 }));
  const blocked = calls.filter((call) => call.isBlocked).length;
  const blockedThere = blocked - others.filter((call) => call.isBlocked).length;
  const failedTurns = turns.filter(({ hasFailed }) => hasFailed).length - blockedThere;
  const failedThere = calls.filter((call) => call.hasFailed && !call.isBlocked && !others.includes(call)).length;
  const times = [...turns.map(({ occurredAt }) => occurredAt), ...calls.map(({ lastAt }) => lastAt), since];
  const known = times.filter((time) => time !== null).toSorted();
  const answer = turns.findLast(({ kind }) => kind === "assistant")?.text ?? null;
  return {
    id,
    text: text === null ? null : text.slice(0, MAX_PROMPT_TEXT),
    isCut: (text ?? "").length > MAX_PROMPT_TEXT,
    isBlocked,
    turns: turns.length === 0 ? null : { first: turns[0]?.position ?? 1, last: turns.at(-1)?.position ?? 1 },
    since,
    until,
    startedAt: since ?? known[0] ?? null,
    lastAt: known.at(-1) ?? null,
    answer: answer === null ? null : answer.slice(0, MAX_ANSWER_TEXT),
    calls: turns.filter(({ kind }) => kind === "tool_call").length + others.length,
    // Not all transcripts say which calls have failed.
    failed: Math.max(0, failedTurns, failedThere) + others.filter((call) => call.hasFailed).length,
    blocked,
    asked: calls.filter((call) => call.isAsked && !call.isBlocked).length,
    changes: changes ?? editsIn(turns),
    usage: null,
  };
}

/** Whether a call is not in the transcript: one of a subagent, or one that was made since. */
export function isBesideTranscript(
  {
    callId,
    isOfSubagent,
    startedAt,
  }: Pick<ReturnType<typeof callEvents>[number], "callId" | "isOfSubagent" | "startedAt">,
  {
    ids,
    end,
    hasTurns,
  }: { readonly ids: ReadonlySet<string>; readonly end: string | null; readonly hasTurns: boolean },
): boolean {
  if (callId !== null && ids.has(callId)) return false;
  return !hasTurns || isOfSubagent || end === null || startedAt > end;
}

/** What the transcript says of edited files, if the hooks recorded nothing. */
function editsIn(turns: readonly OutlinedTurn[]): PromptChanges | null {
  const paths = [...new Set(turns.flatMap((turn) => turn.paths))];
  if (paths.length === 0) return null;
  const files = paths.map((path) => ({ path, change: "changed" as const }));
  return { turn: null, root: null, files: files.slice(0, 50), total: paths.length, isCompared: false };
}

function lastTime(turns: readonly OutlinedTurn[]): string | null {
  return turns.findLast(({ occurredAt }) => occurredAt !== null)?.occurredAt ?? null;
}
