import { pageUserHeaders } from "../../../api/fetch.ts";
import { newLocalId } from "../../../api/local-id.ts";
import { atBase } from "../../../browser/base-path.ts";
import { clientPart } from "../../../client/client-part.ts";
import type { Client } from "../../../client/client.ts";
import { Store } from "../../../client/store.ts";
import { childOf, freeName, nameOf, parentOf } from "../vault/vault-path.ts";
import { currentVault, refreshVault } from "../vault/vault-store.ts";
import { isNameTaken } from "../vault/vault-tree.ts";

/** A file being uploaded to the vault. */
export interface Upload {
  readonly id: string;
  readonly file: File;
  readonly path: string;
  readonly sentBytes: number;
  readonly state: UploadState;
}

export type UploadState =
  { readonly kind: "waiting" | "sending" | "done" } | { readonly kind: "failed"; readonly message: string };

/** A file with its path below the folder it was dropped into. */
export interface IncomingFile {
  readonly file: File;
  readonly relativePath: string;
}

const MAX_PARALLEL_UPLOADS = 3;
const DONE_SHOWN_MS = 2_500;
const CONFLICT = 409;
const PRECONDITION_FAILED = 412;

/** The uploads to the vault. */
export const uploads = clientPart((client) => new Uploads(client));

class Uploads {
  readonly list = new Store<readonly Upload[]>([]);
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Uploads files into a folder, each under an unused name. Returns the paths of those that succeeded. */
  async add(files: readonly IncomingFile[], folder: string): Promise<string[]> {
    const added = files.map(({ file, relativePath }): Upload => {
      const path = this.#freePath(childOf(folder, relativePath));
      return { id: newLocalId(), file, path, sentBytes: 0, state: { kind: "waiting" } };
    });
    this.list.set([...this.list.get(), ...added]);
    const queue = [...added];
    const work = async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) await this.#run(next);
    };
    await Promise.all(Array.from({ length: MAX_PARALLEL_UPLOADS }, work));
    await refreshVault(this.#client);
    const ids = new Set(added.map(({ id }) => id));
    return this.list
      .get()
      .filter(({ id, state }) => ids.has(id) && state.kind === "done")
      .map(({ path }) => path);
  }

  async retry(upload: Upload): Promise<void> {
    await this.#run(upload);
    await refreshVault(this.#client);
  }

  dismiss(id: string): void {
    this.list.set(this.list.get().filter((upload) => upload.id !== id));
  }

  async #run({ id, file, path }: Upload): Promise<void> {
    this.#change(id, { state: { kind: "sending" }, sentBytes: 0 });
    const message = await send(this.#client, file, path, (sentBytes) => this.#change(id, { sentBytes }));
    if (message !== null) {
      this.#change(id, { state: { kind: "failed", message } });
      return;
    }
    this.#change(id, { state: { kind: "done" }, sentBytes: file.size });
    setTimeout(() => this.dismiss(id), DONE_SHOWN_MS);
  }

  #freePath(path: string): string {
    const { tree } = currentVault(this.#client);
    const folder = parentOf(path);
    const isTaken = (name: string) =>
      isNameTaken(tree, folder, name) || this.list.get().some((upload) => upload.path === childOf(folder, name));
    return childOf(folder, freeName(nameOf(path), isTaken));
  }

  #change(id: string, part: Partial<Upload>): void {
    this.list.set(this.list.get().map((upload) => (upload.id === id ? { ...upload, ...part } : upload)));
  }
}

/** Sends one file; not with `fetch`, which does not report progress. Returns the error message, or null on success. */
function send(
  { connection, pageUser }: Client,
  file: File,
  path: string,
  onProgress: (sentBytes: number) => void,
): Promise<string | null> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.upload.addEventListener("progress", ({ loaded }) => onProgress(loaded));
    request.addEventListener("load", () => {
      connection.reportResponse();
      resolve(request.status < 300 ? null : messageOf(request));
    });
    request.addEventListener("error", () => {
      connection.reportNoResponse();
      resolve("The server did not respond.");
    });
    request.open("PUT", atBase(`/api/fs/raw?${new URLSearchParams({ path: `/${path}` }).toString()}`));
    for (const [name, value] of pageUserHeaders(pageUser)) request.setRequestHeader(name, value);
    request.setRequestHeader("content-type", "application/octet-stream");
    // Never overwrites a file created by somebody else in the meantime.
    request.setRequestHeader("if-none-match", "*");
    request.send(file);
  });
}

function messageOf({ status, responseText }: XMLHttpRequest): string {
  if (status === CONFLICT || status === PRECONDITION_FAILED) return "A file with this name already exists.";
  try {
    const answer: unknown = JSON.parse(responseText);
    if (typeof answer === "object" && answer !== null && "message" in answer) return String(answer.message);
  } catch {
    // Not a response from our server, but for example a proxy's error page.
  }
  return "The server refused the file.";
}
