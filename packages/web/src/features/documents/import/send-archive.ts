import type { NoteImport } from "@workspace/core";
import { RequestError } from "../../../api/request-error.ts";
import { pageUserHeaders } from "../../../api/fetch.ts";
import { atBase } from "../../../browser/base-path.ts";
import type { Client } from "../../../client/client.ts";

export type NoteFormat = NoteImport["format"];

export interface ArchiveRequest {
  readonly file: File;
  readonly format: NoteFormat;
  /** The folder that everything goes into; empty for the root. */
  readonly folder: string;
  readonly dryRun: boolean;
}

/** What the import of an archive is at. */
export interface ImportProgress {
  readonly step: "sending" | "reading" | "writing";
  /** From 0 to 1. */
  readonly share: number;
}

/**
 * Sends an archive and follows its import; not with `fetch`, which does not report how much has been sent. Rejects with
 * {@link RequestError}, or with the reason of the signal.
 */
export function sendArchive(
  { connection, pageUser }: Client,
  { file, format, folder, dryRun }: ArchiveRequest,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (progress: ImportProgress) => void },
): Promise<NoteImport> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    let readTo = 0;
    let result: NoteImport | RequestError | null = null;
    const readLines = (): void => {
      const { responseText } = request;
      for (let end = responseText.indexOf("\n", readTo); end >= 0; end = responseText.indexOf("\n", readTo)) {
        const line = parseLine(responseText.slice(readTo, end));
        readTo = end + 1;
        if (line.progress !== undefined)
          onProgress({
            step: dryRun ? "reading" : "writing",
            share: line.progress.done / Math.max(line.progress.total, 1),
          });
        if (line.data !== undefined) result = line.data;
        if (line.error !== undefined) result = new RequestError("refused", line.error.message);
      }
    };
    signal.addEventListener("abort", () => {
      request.abort();
      reject(signal.reason instanceof Error ? signal.reason : new RequestError("refused", "The import was stopped."));
    });
    request.upload.addEventListener("progress", ({ loaded }) =>
      onProgress({ step: "sending", share: loaded / Math.max(file.size, 1) }),
    );
    request.addEventListener("progress", () => request.status === 200 && readLines());
    request.addEventListener("load", () => {
      connection.reportResponse();
      if (request.status !== 200) {
        reject(new RequestError("refused", parseLine(request.responseText).message ?? "The server refused the file."));
        return;
      }
      readLines();
      if (result === null)
        reject(new RequestError("refused", "The import was interrupted. Importing again goes on from there."));
      else if (result instanceof RequestError) reject(result);
      else resolve(result);
    });
    request.addEventListener("error", () => {
      connection.reportNoResponse();
      reject(new RequestError("refused", "The server did not respond. Importing again goes on from where it stopped."));
    });
    const query = new URLSearchParams({ format, folder, dryRun: String(dryRun) });
    request.open("POST", atBase(`/api/notes/import?${query.toString()}`));
    for (const [name, value] of pageUserHeaders(pageUser)) request.setRequestHeader(name, value);
    request.setRequestHeader("content-type", "application/zip");
    request.setRequestHeader("accept", "application/x-ndjson");
    request.send(file);
  });
}

interface ImportLine {
  readonly progress?: { readonly done: number; readonly total: number };
  readonly data?: NoteImport;
  readonly error?: { readonly message: string };
  readonly message?: string;
}

/** A line of the response; nothing is known of one that is not from our server, but for example from a proxy. */
function parseLine(text: string): ImportLine {
  try {
    const line: unknown = JSON.parse(text);
    return typeof line === "object" && line !== null ? line : {};
  } catch {
    return {};
  }
}
