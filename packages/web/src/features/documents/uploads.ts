import { useSyncExternalStore } from "react";
import { reportAnswer, reportNoAnswer } from "../../api/connection.ts";
import { newLocalId } from "../../api/local-id.ts";
import { childOf, freeName, nameOf, parentOf } from "./vault-path.ts";
import { currentVault, refreshVault } from "./vault-store.ts";
import { isNameTaken } from "./vault-tree.ts";

/** A file on its way into the vault. */
export interface Upload {
  readonly id: string;
  readonly file: File;
  readonly path: string;
  readonly sentBytes: number;
  readonly state: UploadState;
}

export type UploadState =
  { readonly kind: "waiting" | "sending" | "done" } | { readonly kind: "failed"; readonly message: string };

/** A file with the path that it has below the folder into which it is dropped. */
export interface IncomingFile {
  readonly file: File;
  readonly relativePath: string;
}

const AT_ONCE = 3;
const DONE_SHOWN_MS = 2_500;
const CONFLICT = 409;
const PRECONDITION_FAILED = 412;

let uploads: readonly Upload[] = [];
const listeners = new Set<() => void>();

export function useUploads(): readonly Upload[] {
  return useSyncExternalStore(subscribe, () => uploads);
}

/** Uploads files into a folder, each under a name that is free. Answers the paths of those that arrived. */
export async function uploadFiles(files: readonly IncomingFile[], folder: string): Promise<string[]> {
  const added = files.map(({ file, relativePath }): Upload => {
    const path = freePath(childOf(folder, relativePath));
    return { id: newLocalId(), file, path, sentBytes: 0, state: { kind: "waiting" } };
  });
  set([...uploads, ...added]);
  const queue = [...added];
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await run(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await refreshVault();
  const ids = new Set(added.map(({ id }) => id));
  return uploads.filter(({ id, state }) => ids.has(id) && state.kind === "done").map(({ path }) => path);
}

export async function retryUpload(upload: Upload): Promise<void> {
  await run(upload);
  await refreshVault();
}

export function dismissUpload(id: string): void {
  set(uploads.filter((upload) => upload.id !== id));
}

async function run({ id, file, path }: Upload): Promise<void> {
  change(id, { state: { kind: "sending" }, sentBytes: 0 });
  const message = await send(file, path, (sentBytes) => change(id, { sentBytes }));
  if (message !== null) {
    change(id, { state: { kind: "failed", message } });
    return;
  }
  change(id, { state: { kind: "done" }, sentBytes: file.size });
  setTimeout(() => dismissUpload(id), DONE_SHOWN_MS);
}

/** Sends one file. Not by `fetch`, which tells nothing of its progress. Answers what went wrong; null for nothing. */
function send(file: File, path: string, onProgress: (sentBytes: number) => void): Promise<string | null> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.upload.addEventListener("progress", ({ loaded }) => onProgress(loaded));
    request.addEventListener("load", () => {
      reportAnswer();
      resolve(request.status < 300 ? null : messageOf(request));
    });
    request.addEventListener("error", () => {
      reportNoAnswer();
      resolve("The server did not answer.");
    });
    request.open("PUT", `/api/fs/raw?${new URLSearchParams({ path: `/${path}` }).toString()}`);
    request.setRequestHeader("content-type", "application/octet-stream");
    // Never over a file that somebody else has put there in the meantime.
    request.setRequestHeader("if-none-match", "*");
    request.send(file);
  });
}

function messageOf({ status, responseText }: XMLHttpRequest): string {
  if (status === CONFLICT || status === PRECONDITION_FAILED) return "There is a file of this name already.";
  try {
    const answer: unknown = JSON.parse(responseText);
    if (typeof answer === "object" && answer !== null && "message" in answer) return String(answer.message);
  } catch {
    // Not our server's own answer: a proxy's page, for one.
  }
  return "The server refused the file.";
}

function freePath(path: string): string {
  const { tree } = currentVault();
  const folder = parentOf(path);
  const isTaken = (name: string) =>
    isNameTaken(tree, folder, name) || uploads.some((upload) => upload.path === childOf(folder, name));
  return childOf(folder, freeName(nameOf(path), isTaken));
}

function change(id: string, part: Partial<Upload>): void {
  set(uploads.map((upload) => (upload.id === id ? { ...upload, ...part } : upload)));
}

function set(next: readonly Upload[]): void {
  uploads = next;
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
