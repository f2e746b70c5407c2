import { Readable } from "node:stream";
import type { Db } from "@workspace/db";
import { EXPORT_MARKER } from "./knowledge/note-import/formats/workspace.ts";
import { modifiedAtOf } from "./knowledge/vault/file-stat.ts";
import { NotFoundError } from "./platform/errors.ts";
import type { Clock } from "./platform/clock.ts";
import type { Page, Paging } from "./platform/paging.ts";
import type { Services } from "./services.ts";
import { selectExportedTasks } from "./work/task-export/task-export.queries.ts";

/** A file of an export. */
export interface ExportedFile {
  readonly path: string;
  readonly modifiedAt: Date;
  /** Its size; undefined if it is only known at its end. */
  readonly sizeBytes: number | undefined;
  readonly content: Readable;
}

export interface WorkspaceExportOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly services: Pick<Services, "vault" | "projects" | "taskViews" | "memory" | "agents" | "conversations">;
  /** The person who exports it, and whose reminders are in it. */
  readonly userId: string;
}

const PAGE = 200;
const README = `# An export of a workspace

Everything that people have made in it, in files that other programs can read:

- \`vault/\`: the notes and other files, as they are.
- \`tasks.json\`: the tasks, with checklists, comments, reminders, what they wait for and the notes they are linked to.
- \`projects.json\`, \`views.json\`, \`memories.json\`, \`agents.json\`: as the API lists them; views are saved views of tasks.
- \`conversations.json\`: the chats with their messages.

What was deleted, earlier versions, secrets, keys and passwords are not in it, nor are records of sessions and usage. A backup has all of
that. To bring notes and tasks into another workspace: \`npx workspace import FILE.zip\`.
`;

/** Of what is exported now. */
const EXPORT_VERSION = 1;

/**
 * The files of an export of everything that people have made, one after the other: each has to be read before the next one. Throws
 * before there is any if the vault cannot be read.
 */
export async function exportWorkspace(options: WorkspaceExportOptions): Promise<AsyncGenerator<ExportedFile>> {
  await options.services.vault.list("", { isRecursive: false });
  return allFiles(options);
}

async function* allFiles(options: WorkspaceExportOptions): AsyncGenerator<ExportedFile> {
  const { db, clock, services, userId } = options;
  const now = clock.now();
  const text = (path: string, content: AsyncIterable<string> | Iterable<string>): ExportedFile => ({
    path,
    modifiedAt: now,
    sizeBytes: undefined,
    content: Readable.from(content, { objectMode: false }),
  });
  const { projects, taskViews, memory, agents, conversations } = services;
  yield text(EXPORT_MARKER, [`${JSON.stringify({ version: EXPORT_VERSION, exportedAt: now.toISOString() })}\n`]);
  yield text("README.md", [README]);
  yield text("tasks.json", toJson(selectExportedTasks(db.pool, userId)));
  yield text("projects.json", toJson(allOf((paging) => projects.list(paging))));
  yield text("views.json", toJson(allOf((paging) => taskViews.list(paging))));
  yield text("memories.json", toJson(allOf((paging) => memory.list({ ...paging, deleted: false }))));
  yield text("agents.json", toJson(allOf((paging) => agents.list(paging))));
  yield text("conversations.json", toJson(conversationsOf(conversations)));
  yield* filesOf(services.vault);
}

/** A JSON array with one item in each line. */
async function* toJson(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let separator = "[\n";
  for await (const item of items) {
    yield separator + JSON.stringify(item);
    separator = ",\n";
  }
  yield separator === "[\n" ? "[]\n" : "\n]\n";
}

async function* allOf<Item>(list: (paging: Paging & { limit: number }) => Promise<Page<Item>>) {
  let cursor: string | undefined;
  do {
    const page: Page<Item> = await list({ limit: PAGE, cursor });
    yield* page.items;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

async function* conversationsOf(conversations: WorkspaceExportOptions["services"]["conversations"]) {
  for await (const { id } of allOf((paging) => conversations.list(paging))) {
    const found = await unlessGone(conversations.get(id));
    if (found !== null) yield found;
  }
}

async function* filesOf(vault: WorkspaceExportOptions["services"]["vault"]): AsyncGenerator<ExportedFile> {
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const listed = await unlessGone(vault.list(folder, { isRecursive: false }));
    for (const { path, type } of listed?.items ?? []) {
      if (type === "directory") folders.push(path);
      const opened = type === "file" ? await unlessGone(vault.openStream(path)) : null;
      if (opened === null) continue;
      const { stat } = opened.file;
      const content = opened.file.stream({ start: 0, length: stat.sizeBytes });
      yield { path: `vault/${opened.path}`, modifiedAt: modifiedAtOf(stat), sizeBytes: stat.sizeBytes, content };
    }
  }
}

/** Null for what has been deleted since it was listed. */
async function unlessGone<T>(reading: Promise<T>): Promise<T | null> {
  return reading.catch((error: unknown) => {
    if (error instanceof NotFoundError) return null;
    throw error;
  });
}
