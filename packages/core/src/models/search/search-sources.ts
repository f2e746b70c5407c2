import type { SearchSource } from "@workspace/db";
import { readSearchedSecrets } from "../../access/secrets/searched-secrets.queries.ts";
import { readSearchedPrompts } from "../../assistants/hooks/searched-prompts.queries.ts";
import { readSearchedMemories } from "../../assistants/memory/searched-memories.queries.ts";
import { readSearchedDocuments } from "../../knowledge/documents/searched-documents.queries.ts";
import type { ApiKeyScope } from "../../platform/resources.ts";
import type { ReadSearchedRows } from "../../platform/search/searched-row.ts";
import { readSearchedTasks } from "../../work/tasks/searched-tasks.queries.ts";
import { readSearchedAgents, readSearchedRuns } from "../agents/searched-agents.queries.ts";
import { readSearchedConversations, readSearchedMessages } from "../chat/searched-chats.queries.ts";

export const SEARCH_KINDS = [
  "task",
  "document",
  "conversation",
  "memory",
  "session",
  "agent",
  "run",
  "secret",
] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

/** The scope that a key needs to find things of a kind; null if no key does. */
export const SCOPE_OF_KIND: Readonly<Record<SearchKind, ApiKeyScope | null>> = {
  task: "tasks:read",
  document: "knowledge:read",
  conversation: null,
  memory: "memory:read",
  session: "memory:read",
  agent: "agents:read",
  run: null,
  secret: null,
};

interface RowSource {
  /** What its rows are shown as. */
  readonly kind: SearchKind;
  /** Whether the rows have titles of their own. */
  readonly isTitled: boolean;
  readonly read: ReadSearchedRows;
}

/** The tables whose rows have search entries. */
export const ROW_SOURCES: Readonly<Record<SearchSource, RowSource>> = {
  task: { kind: "task", isTitled: true, read: readSearchedTasks },
  document: { kind: "document", isTitled: true, read: readSearchedDocuments },
  conversation: { kind: "conversation", isTitled: true, read: readSearchedConversations },
  message: { kind: "conversation", isTitled: false, read: readSearchedMessages },
  agent: { kind: "agent", isTitled: true, read: readSearchedAgents },
  run: { kind: "run", isTitled: false, read: readSearchedRuns },
  secret: { kind: "secret", isTitled: true, read: readSearchedSecrets },
  memory: { kind: "memory", isTitled: false, read: readSearchedMemories },
  prompt: { kind: "session", isTitled: false, read: readSearchedPrompts },
};
