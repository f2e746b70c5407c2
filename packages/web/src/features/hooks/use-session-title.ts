import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../client/use-client.ts";
import { shortSessionId, summaryOf, type HookEvent } from "./hook-event.ts";
import type { HookSession } from "./use-hook-session.ts";

const MAX_TITLE_LENGTH = 80;
/** The first turns, among which the first prompt is. */
const FIRST_TURNS = 10;

/** What the session was asked first, which people recognise it by; its id while that is not known. */
export function useSessionTitle(
  sessionId: string,
  session: HookSession | undefined,
  events: readonly HookEvent[],
): string {
  const client = useClient();
  const event = events.find(({ eventType }) => eventType === "UserPromptSubmit");
  const prompt = event === undefined ? "" : summaryOf(event);
  const { data: said } = useQuery({
    queryKey: ["session-turns", sessionId, "first-prompt"],
    queryFn: async ({ signal }) => {
      const { data } = await client.api.hooks.getTranscript.query({ sessionId, limit: FIRST_TURNS }, { signal });
      return data.turns.find(({ kind }) => kind === "user")?.text ?? "";
    },
    enabled: prompt === "" && session?.transcript != null,
    staleTime: Infinity,
  });
  return titleOf(prompt) ?? titleOf(said ?? "") ?? `Session ${shortSessionId(sessionId)}`;
}

function titleOf(text: string): string | undefined {
  const line = text.replace(/\s+/g, " ").trim();
  if (line === "") return undefined;
  return line.length <= MAX_TITLE_LENGTH ? line : `${line.slice(0, MAX_TITLE_LENGTH - 1)}…`;
}
