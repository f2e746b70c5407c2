import { type QueryClient, useQuery } from "@tanstack/react-query";
import type { Outputs } from "../../api/api.ts";
import { useClient } from "../../client/use-client.ts";

export type SessionOutline = Outputs["session"]["outline"]["data"];
export type SessionPrompt = SessionOutline["prompts"][number];
export type PromptChanges = NonNullable<SessionPrompt["changes"]>;

/** What arrives late, such as what a prompt changed and cost, arrives while the next one is at work. */
const READ_AGAIN = 2;

function outlineKey(sessionId: string) {
  return ["hooks", "outline", sessionId];
}

/** The prompts of a session. Once they are known, only the last of them are read again. */
export function useSessionOutline(sessionId: string) {
  const client = useClient();
  return useQuery({
    queryKey: outlineKey(sessionId),
    queryFn: async ({ signal }) => {
      const read = async (from: { since?: string; fromTurn?: number }) =>
        (await client.api.session.outline.query({ sessionId, ...from }, { signal })).data;
      const known = knownOutline(client.queries, sessionId);
      const [from] = known?.prompts.slice(-READ_AGAIN) ?? [];
      if (known === undefined || known.prompts.length <= READ_AGAIN || from?.since == null) return read({});
      const latest = await read({
        since: from.since,
        ...(from.turns !== null && { fromTurn: from.turns.first }),
      });
      // Turns that have been added may belong anywhere.
      if (latest.turnCount !== known.turnCount || latest.prompts[0]?.id !== from.id) return read({});
      return { ...latest, prompts: [...known.prompts.slice(0, -READ_AGAIN), ...latest.prompts] };
    },
    staleTime: 0,
  });
}

function knownOutline(queries: QueryClient, sessionId: string): SessionOutline | undefined {
  return queries.getQueryData(outlineKey(sessionId));
}

const MAX_TITLE_LENGTH = 80;

/** What the session was asked first, which people recognise it by; undefined while that is not known. */
export function titleOf(outline: SessionOutline | undefined): string | undefined {
  const prompt = outline?.prompts.find(({ text, isBlocked }) => !isBlocked && (text ?? "").trim() !== "");
  const line = (prompt?.text ?? "").replace(/\s+/g, " ").trim();
  if (line === "") return undefined;
  return line.length <= MAX_TITLE_LENGTH ? line : `${line.slice(0, MAX_TITLE_LENGTH - 1)}…`;
}
