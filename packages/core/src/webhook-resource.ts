import { isDatabaseUnavailable, type Db } from "@workspace/db";
import type { ReadResource } from "./access/webhooks/webhook-payload.ts";
import { folderOf } from "./knowledge/documents/key-folder.ts";
import { knowledgeFileSchema } from "./knowledge/documents/knowledge.schema.ts";
import { documentSchema } from "./knowledge/file-records/document-record.schema.ts";
import { selectDocument } from "./knowledge/file-records/document.queries.ts";
import { isWithin } from "./knowledge/vault/vault-path.ts";
import { conversationSchema } from "./models/chat/conversation.schema.ts";
import type { NamedCapability } from "./platform/procedures/capability.ts";
import type { Logger } from "./platform/logger.ts";
import { isUuid } from "./platform/ids.ts";
import { DomainError } from "./platform/errors.ts";
import type { Principal } from "./platform/procedures/principal.ts";
import { shapeOutput } from "./platform/procedures/shape-output.ts";
import type { Services } from "./services.ts";

/** By which a resource is read; what is not here has nothing but its name. */
const READ_BY: Readonly<Record<string, string>> = {
  task: "tasks.get",
  project: "projects.get",
  view: "taskViews.get",
  memory: "memory.get",
  agent: "agents.get",
};

export interface ResourceReaderDeps {
  readonly db: Db;
  readonly logger: Logger;
  readonly capabilities: readonly NamedCapability<Services>[];
  readonly services: () => Services;
}

/** Reads resources for webhooks: by the same procedures as their users and keys, so that a webhook shows no more than they can read. */
export function createResourceReader({ db, logger, capabilities, services }: ResourceReaderDeps): ReadResource {
  async function callProcedure(principal: Principal, name: string, id: string): Promise<{ data: object } | "thin"> {
    const capability = capabilities.find((candidate) => candidate.name === name);
    const operation = principal.kind === "user" ? capability?.api : capability?.v1;
    if (operation === undefined) return "thin";
    const context = { principal, origin: { kind: "http", sessionId: null }, services: services() } as const;
    return dataIn(await operation.call(context, { id }));
  }

  /** Without its content, which can be of any size. Also a deleted one is only known to a key if it was in its folder. */
  async function readDocument(principal: Principal, id: string): Promise<{ data: object } | "thin" | "hidden"> {
    const document = isUuid(id) ? await selectDocument(db.pool, id) : null;
    const isVisible = document !== null && isWithin(document.path, folderOf(principal));
    if (principal.kind === "user")
      return document === null ? "thin" : shaped(await shapeOutput(documentSchema, document));
    if (!isVisible) return principal.folder === undefined ? "thin" : "hidden";
    return shaped({ id, ...objectIn(await shapeOutput(knowledgeFileSchema, document)) });
  }

  async function readConversation(principal: Principal, id: string): Promise<{ data: object } | "thin"> {
    if (principal.kind !== "user") return "thin";
    return shaped(await shapeOutput(conversationSchema, await services().conversations.get(id)));
  }

  return async (principal, kind, id) => {
    if (kind === "document") return readDocument(principal, id);
    try {
      if (kind === "conversation") return await readConversation(principal, id);
      const name = READ_BY[kind];
      return name === undefined ? "thin" : await callProcedure(principal, name, id);
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      if (!(error instanceof DomainError))
        logger.warn({ err: error, kind }, "a resource could not be read for a webhook");
      return "thin";
    }
  };
}

function dataIn(output: unknown): { data: object } | "thin" {
  return typeof output === "object" && output !== null && "data" in output ? shaped(output.data) : "thin";
}

function shaped(data: unknown): { data: object } | "thin" {
  return typeof data === "object" && data !== null ? { data } : "thin";
}

function objectIn(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}
