import * as z from "zod";
import type { Principal } from "./principal.ts";

/** Through what a call is made. With the principal, it says who the author of a change is; it authorises nothing. */
export type Origin =
  | {
      /** `mcp` by an assistant, `http` by anything else: the principal says whether it is a person or a program. */
      readonly kind: "http" | "mcp";
      /** The assistant's session, if the client has named one. */
      readonly sessionId: string | null;
    }
  | { readonly kind: "agent"; readonly agentId: string; readonly agentName: string; readonly runId: string }
  | {
      readonly kind: "chat";
      readonly conversationId: string;
      /** The answer, and the call of a tool in it. */
      readonly messageId?: string;
      readonly toolUseId?: string;
    };

export const AUTHOR_KINDS = ["person", "agent", "chat", "assistant", "program"] as const;

export const authorSchema = z
  .object({
    kind: z.enum(AUTHOR_KINDS).meta({
      description:
        "person: who is signed in; agent: a run of one; chat: the model in a conversation; assistant: over MCP, or in a session that it names; program: another key, or the API token",
    }),
    name: z
      .string()
      .meta({ description: "Of the person, the agent or the key, as it was then; of the person for a chat" }),
    userId: z.string().meta({ description: "The user who acted, or for whom it was done" }),
    agentId: z.string().optional(),
    runId: z.string().optional(),
    conversationId: z.string().optional(),
    messageId: z.string().optional().meta({ description: "Of a chat: the answer in which it was done" }),
    toolUseId: z.string().optional().meta({ description: "Of a chat: the call in that answer, as the model named it" }),
    keyId: z.string().optional(),
    sessionId: z.string().optional().meta({ description: "The assistant's session, if it has named one" }),
  })
  .meta({ id: "Author", description: "Who changed something, and through what" });

/** Who changed something, and through what. It is stored with what was changed, so that it outlives keys and agents. */
export type Author = Readonly<z.infer<typeof authorSchema>>;

/** The author of what a call changes. */
export function authorOf({ principal, origin }: { readonly principal: Principal; readonly origin: Origin }): Author {
  const { userId, name } = principal;
  switch (origin.kind) {
    case "agent":
      return { kind: "agent", name: origin.agentName, userId, agentId: origin.agentId, runId: origin.runId };
    case "chat":
      return { ...origin, name, userId };
    case "http":
    case "mcp": {
      if (principal.kind === "user" && principal.sessionId !== undefined) return { kind: "person", name, userId };
      const { sessionId } = origin;
      return {
        kind: origin.kind === "mcp" || sessionId !== null ? "assistant" : "program",
        ...(principal.kind === "api_key" ? { name, userId, keyId: principal.keyId } : { name: "API token", userId }),
        ...(sessionId !== null && { sessionId }),
      };
    }
  }
}
