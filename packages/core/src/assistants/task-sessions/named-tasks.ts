/** That a session named what may be a task. */
export interface NamedTask {
  readonly taskId: string;
  readonly sessionId: string;
  readonly namedAt: string;
}

interface NamingEvent {
  readonly sessionId: string | null;
  readonly eventData: Readonly<Record<string, unknown>> | null;
  readonly createdAt: string;
}

const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
/** So much of a prompt or of a tool's input is searched; the hooks CLI sends no more. */
const MAX_CHARACTERS = 20_000;
/** A text with more ids is a list, not a reference. */
const MAX_IDS = 20;

/** The ids in the prompt of an event and in the input of its tool, each once per session, with the time of the first event. */
export function namedTasks(events: readonly NamingEvent[]): NamedTask[] {
  const named = new Map<string, NamedTask>();
  for (const { sessionId, eventData, createdAt: namedAt } of events) {
    if (sessionId === null || eventData === null) continue;
    for (const taskId of idsIn(eventData)) {
      const key = `${taskId} ${sessionId}`;
      const known = named.get(key);
      if (known === undefined || namedAt < known.namedAt) named.set(key, { taskId, sessionId, namedAt });
    }
  }
  return [...named.values()];
}

function idsIn({ prompt, toolInput }: Readonly<Record<string, unknown>>): readonly string[] {
  const texts = [prompt, toolInput].map((part) =>
    typeof part === "string" ? part : part === undefined ? "" : JSON.stringify(part),
  );
  const ids = texts.flatMap((text) => text.slice(0, MAX_CHARACTERS).match(UUID) ?? []);
  const distinct = [...new Set(ids.map((id) => id.toLowerCase()))];
  return distinct.length > MAX_IDS ? [] : distinct;
}
