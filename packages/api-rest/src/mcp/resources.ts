import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import type { ApiKeyPrincipal, Context, NamedCapability, Services } from "@workspace/core";
import * as z from "zod";

const SCHEME = "workspace://";
const PAGE_SIZE = 100;
/** The protocol's code for a resource that there is not. */
export const RESOURCE_NOT_FOUND = -32002;

const listParameters = z.object({ cursor: z.string().max(2000).optional() });
const readParameters = z.object({ uri: z.string().max(4000) });
const taskPage = z.object({
  data: z.array(z.object({ id: z.string(), title: z.string(), updatedAt: z.string().optional() })),
  nextCursor: z.string().optional(),
});
const notePage = z.object({
  data: z.array(z.object({ path: z.string(), title: z.string(), size: z.number(), modifiedAt: z.string() })),
  nextCursor: z.string().optional(),
});
const openFile = z.object({ data: z.object({ content: z.string(), encoding: z.enum(["utf-8", "base64"]) }) });

interface Kind {
  readonly name: "tasks" | "notes";
  readonly scope: "tasks:read" | "knowledge:read";
}

/** In the order in which they are listed. */
const KINDS: readonly Kind[] = [
  { name: "tasks", scope: "tasks:read" },
  { name: "notes", scope: "knowledge:read" },
];

const TEMPLATES = {
  tasks: {
    uriTemplate: `${SCHEME}tasks/{id}`,
    name: "task",
    title: "Task",
    description: "A task with all of its fields",
    mimeType: "application/json",
  },
  notes: {
    uriTemplate: `${SCHEME}notes/{+path}`,
    name: "note",
    title: "Note",
    description: "A note or file of the vault, by its path",
  },
} as const;

/** Tasks and notes as resources, which people attach to a conversation. They are read by the procedures of `/api/v1`. */
export function createResources(capabilities: readonly NamedCapability<Services>[]) {
  async function call(name: string, ctx: Context<Services>, input: object): Promise<unknown> {
    const operation = capabilities.find((capability) => capability.name === name)?.v1;
    if (operation === undefined) throw new Error(`There is no procedure ${name}.`);
    return operation.call(ctx, input);
  }

  async function listTasks(ctx: Context<Services>, cursor: string | undefined) {
    const input = { status: ["todo", "in_progress"], limit: PAGE_SIZE, cursor };
    const { data, nextCursor } = taskPage.parse(await call("tasks.list", ctx, input));
    return {
      nextCursor,
      resources: data.map(({ id, title }) => ({
        uri: `${SCHEME}tasks/${id}`,
        name: title,
        title,
        mimeType: "application/json",
      })),
    };
  }

  async function listNotes(ctx: Context<Services>, cursor: string | undefined) {
    const { data, nextCursor } = notePage.parse(await call("knowledge.list", ctx, { limit: PAGE_SIZE, cursor }));
    return {
      nextCursor,
      resources: data.map(({ path, title, size, modifiedAt }) => ({
        uri: `${SCHEME}notes/${path.split("/").map(encodeURIComponent).join("/")}`,
        name: path,
        title,
        size,
        ...mediaTypeOf(path),
        annotations: { lastModified: modifiedAt },
      })),
    };
  }

  return {
    /** Open tasks, then notes, a page at a time. */
    async list(params: unknown, ctx: Context<Services>, { scopes }: ApiKeyPrincipal) {
      const { cursor } = parse(listParameters, params);
      const kinds = KINDS.filter(({ scope }) => scopes.has(scope));
      const [name, rest] = cursor === undefined ? [kinds[0]?.name, ""] : splitCursor(cursor);
      const index = kinds.findIndex((kind) => kind.name === name);
      if (index === -1 && cursor !== undefined) throw new McpError(ErrorCode.InvalidParams, "cursor: is not valid");
      if (index === -1) return { resources: [] };
      const read = name === "tasks" ? listTasks : listNotes;
      const { resources, nextCursor } = await read(ctx, rest === "" ? undefined : rest);
      const following = kinds[index + 1];
      if (nextCursor !== undefined) return { resources, nextCursor: `${name}:${nextCursor}` };
      return { resources, ...(following !== undefined && { nextCursor: `${following.name}:` }) };
    },

    /** The forms of the URIs that the key may read. */
    listTemplates: ({ scopes }: ApiKeyPrincipal) => ({
      resourceTemplates: KINDS.filter(({ scope }) => scopes.has(scope)).map(({ name }) => TEMPLATES[name]),
    }),

    async read(params: unknown, ctx: Context<Services>) {
      const { uri } = parse(readParameters, params);
      const [, kind, rest = ""] = /^workspace:\/\/(tasks|notes)\/(.+)$/.exec(uri) ?? [];
      if (kind === "tasks") {
        const output = await call("tasks.get", ctx, { id: rest });
        return { contents: [{ uri, mimeType: "application/json", text: JSON.stringify(output) }] };
      }
      const path = kind === undefined ? undefined : decoded(rest);
      if (path === undefined) throw new McpError(RESOURCE_NOT_FOUND, `There is no resource ${uri}.`);
      const { content, encoding } = openFile.parse(await call("knowledge.get", ctx, { path })).data;
      const type = mediaTypeOf(path);
      return { contents: [encoding === "base64" ? { uri, ...type, blob: content } : { uri, ...type, text: content }] };
    },
  };
}

function splitCursor(cursor: string): [name: string, rest: string] {
  const [name = "", ...rest] = cursor.split(":");
  return [name, rest.join(":")];
}

/** Undefined if it is not encoded correctly. */
function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

function mediaTypeOf(path: string): { mimeType?: string } {
  if (/\.(?:md|markdown)$/i.test(path)) return { mimeType: "text/markdown" };
  return /\.txt$/i.test(path) ? { mimeType: "text/plain" } : {};
}

function parse<Schema extends z.ZodType>(schema: Schema, params: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(params ?? {});
  if (error !== undefined) throw new McpError(ErrorCode.InvalidParams, z.prettifyError(error));
  return data;
}
