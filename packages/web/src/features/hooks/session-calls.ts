import { type HookEvent, summaryOf } from "./hook-event.ts";

/** A call of a tool in a session, as it was recorded. */
export interface SessionCall {
  readonly id: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly projectDir: string | undefined;
  /** Its command, file or the like, in one line. */
  readonly summary: string;
  /** Whether parts of the input were too long to be recorded. */
  readonly wasCut: boolean;
}

/**
 * The calls in events of a session, each once, in the order of the events. A call is recorded before it runs, after it, or both: both
 * have its id, if the assistant has ids.
 */
export function callsIn(events: readonly HookEvent[]): SessionCall[] {
  const hasBefore = events.some(({ eventType }) => eventType === "PreToolUse");
  const calls = new Map<string, SessionCall>();
  for (const event of events) {
    const { toolInput, toolUseId, wasCut } = event.eventData ?? {};
    const isAfter = event.eventType !== "PreToolUse";
    const useId = typeof toolUseId === "string" ? toolUseId : undefined;
    if (event.toolName === null || (isAfter && useId === undefined && hasBefore)) continue;
    if (typeof toolInput !== "object" || toolInput === null || Array.isArray(toolInput)) continue;
    const id = useId ?? event.id;
    if (calls.has(id)) continue;
    calls.set(id, {
      id,
      tool: event.toolName,
      input: { ...toolInput },
      projectDir: event.projectDir ?? undefined,
      summary: summaryOf(event),
      wasCut: wasCut === true,
    });
  }
  return [...calls.values()];
}

/** A session that can be replayed. */
export interface RecordedSession {
  readonly sessionId: string;
  /** Its project and first known prompt. */
  readonly label: string;
  readonly at: string;
}

const MAX_PROMPT_LENGTH = 60;

/** The sessions of some starts and prompts, which come newest first. */
export function sessionsIn(events: readonly HookEvent[]): RecordedSession[] {
  const ids = [...new Set(events.flatMap(({ sessionId }) => sessionId ?? []))];
  return ids.map((sessionId) => {
    const own = events.filter((event) => event.sessionId === sessionId);
    const project = own.map(({ projectDir }) => projectDir?.split("/").at(-1)).find(Boolean);
    const prompt = own.map(({ eventData }) => eventData?.["prompt"]).findLast((text) => typeof text === "string");
    const words = prompt?.replaceAll(/\s+/g, " ").trim().slice(0, MAX_PROMPT_LENGTH);
    return { sessionId, label: [project, words].filter(Boolean).join(": ") || sessionId, at: own[0]?.createdAt ?? "" };
  });
}
