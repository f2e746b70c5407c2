import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import {
  authorOf,
  importNotesQuery,
  InvalidInputError,
  isUnexpected,
  TooLargeError,
  toInvalidInput,
  toPublicError,
  UnauthenticatedError,
  type Context,
  type ImportNotes,
  type NoteImportService,
  type Services,
} from "@workspace/core";
import type { Request, RequestHandler, Response } from "express";
import type { ErrorReporter } from "../http/report-error.ts";
import { sendJson, sendMethodNotAllowed, toApiErrorBody } from "../rest/error-response.ts";
import { splitUrl } from "../rest/percent-encoding.ts";
import { planQuery, readQuery } from "../rest/query-coercion.ts";
import { bodyOf } from "./request-body.ts";

export interface NoteImportRouteOptions {
  readonly noteImport: NoteImportService;
  /** Converts a page that Notion has exported as HTML to Markdown; null if that takes too long. */
  readonly convertHtml: (html: string) => Promise<string | null>;
  /** Authenticates the request. Throws without valid credentials. */
  readonly authenticate: (req: Request, res: Response) => Promise<Context<Services>>;
  readonly reportError: ErrorReporter;
  /** Where archives are stored while they are imported; whatever is left in it from a crash is removed. */
  readonly directory: string;
}

const MAX_ARCHIVE_BYTES = 2 * 1024 * 1024 * 1024;
const PREFIX = "import-";
const PROGRESS_EVERY_MS = 250;
const PROGRESS_TYPE = "application/x-ndjson";
const importPlan = planQuery(importNotesQuery);

/**
 * `POST /api/notes/import`: imports the archive in the body, or says what that would do. With `Accept: application/x-ndjson`, the
 * response consists of lines: `{"progress": …}` while it is being imported, then `{"data": …}` or `{"error": …}`.
 */
export function createNoteImportRoute(options: NoteImportRouteOptions): RequestHandler {
  const prepared = prepare(options.directory);

  const handle = async (req: Request, res: Response): Promise<void> => {
    const context = await options.authenticate(req, res);
    if (req.method !== "POST") {
      sendMethodNotAllowed(res, ["POST"]);
      return;
    }
    if (context.principal === null) throw new UnauthenticatedError("Sign in, or send an API token.");
    const author = authorOf({ ...context, principal: context.principal });
    const input = parseInput(req);
    const { convertHtml, noteImport } = options;
    await prepared;
    await mkdir(options.directory, { recursive: true, mode: 0o700 });
    const directory = await mkdtemp(join(options.directory, PREFIX));
    try {
      const file = join(directory, "archive.zip");
      await pipeline(limited(bodyOf(req)), createWriteStream(file, { flags: "wx", mode: 0o600 }));
      await respond(req, res, (run) => noteImport.import({ file, directory }, input, { author, convertHtml, ...run }));
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  };

  type Run = Pick<Parameters<NoteImportService["import"]>[2], "onProgress" | "signal">;
  type Report = ReturnType<NoteImportService["import"]>;

  async function respond(req: Request, res: Response, run: (run: Run) => Report): Promise<void> {
    const closed = new AbortController();
    res.on("close", () => closed.abort());
    if (!(req.headers.accept ?? "").includes(PROGRESS_TYPE)) {
      sendJson(res, 200, { data: await run({ signal: closed.signal }) });
      return;
    }
    let last = -Infinity;
    const writeLine = (line: object): void => {
      if (!res.headersSent) res.writeHead(200, { "Content-Type": PROGRESS_TYPE, "Cache-Control": "no-store" });
      res.write(`${JSON.stringify(line)}\n`);
    };
    const onProgress = (done: number, total: number): void => {
      const now = performance.now();
      if (now - last < PROGRESS_EVERY_MS) return;
      last = now;
      writeLine({ progress: { done, total } });
    };
    try {
      writeLine({ data: await run({ signal: closed.signal, onProgress }) });
    } catch (error) {
      if (!res.headersSent) throw error;
      if (isUnexpected(error) && !closed.signal.aborted) options.reportError(error, req);
      writeLine({ error: toApiErrorBody(toPublicError(error)) });
    }
    res.end();
  }

  return (req, res, next) => {
    handle(req, res).catch((error: unknown) => {
      // The rest of a refused body is not read, so the connection cannot be reused.
      if (!req.complete && !res.headersSent) res.setHeader("Connection", "close");
      if (!res.destroyed) next(error);
    });
  };
}

/** Removes what a crash has left. */
async function prepare(directory: string): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  const left = names.filter((name) => name.startsWith(PREFIX));
  await Promise.all(left.map((name) => rm(join(directory, name), { recursive: true, force: true }))).catch(
    () => undefined,
  );
}

function parseInput(req: Request): ImportNotes {
  const [, queryString] = splitUrl(req.url);
  const parsed = importNotesQuery.safeParse(readQuery(queryString, importPlan));
  if (!parsed.success) throw toInvalidInput(parsed.error);
  return parsed.data;
}

async function* limited(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ARCHIVE_BYTES) throw new TooLargeError("The archive must be at most 2 GiB.");
    yield chunk;
  }
  if (bytes === 0) throw new InvalidInputError("The body must be a ZIP archive.");
}
