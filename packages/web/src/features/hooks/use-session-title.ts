import { shortSessionId, summaryOf, type HookEvent } from "./hook-event.ts";
import type { HookSession } from "./use-hook-session.ts";
import { useSessionTurns } from "./use-session-turns.ts";

const MAX_TITLE_LENGTH = 80;
/** The first turns, among which the first prompt is. */
const FIRST_TURNS = { first: 1, last: 10 };
const POSITIONS = Array.from({ length: FIRST_TURNS.last }, (_, index) => index + 1);

/** What the session was asked first, which people recognise it by; its id while that is not known. */
export function useSessionTitle(
  sessionId: string,
  session: HookSession | undefined,
  events: readonly HookEvent[],
): string {
  const event = events.find(({ eventType }) => eventType === "UserPromptSubmit");
  const prompt = event === undefined ? "" : summaryOf(event);
  const turnCount = prompt === "" ? (session?.transcript?.turnCount ?? 0) : 0;
  const { turnAt } = useSessionTurns(sessionId, turnCount, FIRST_TURNS);
  const said = POSITIONS.map(turnAt).find((turn) => turn?.kind === "user")?.text;
  return titleOf(prompt) ?? titleOf(said ?? "") ?? `Session ${shortSessionId(sessionId)}`;
}

function titleOf(text: string): string | undefined {
  const line = text.replace(/\s+/g, " ").trim();
  if (line === "") return undefined;
  return line.length <= MAX_TITLE_LENGTH ? line : `${line.slice(0, MAX_TITLE_LENGTH - 1)}…`;
}
