import { newLocalId } from "../../api/local-id.ts";
import { toRequestError } from "../../api/request-error.ts";
import { clientPart } from "../../client/client-part.ts";
import type { Client } from "../../client/client.ts";
import { Store } from "../../client/store.ts";
import { toasts } from "../../components/toast.ts";
import { keepContent, MAX_ATTACHMENTS, readDraftAttachments, writeDraftAttachments } from "./attachments.ts";
import { contentOf, FileTooLargeError } from "./file-content.ts";

/** A file on its way to the draft of a message. */
export interface AttachmentUpload {
  readonly id: string;
  /** The draft that it is for. */
  readonly draftKey: string;
  readonly file: File;
  /** Why it has failed; null while it is being uploaded. */
  readonly error: string | null;
}

/** The files that are being uploaded for messages, or were refused; they go on while another page is shown. */
export const attachmentUploads = clientPart((client) => new AttachmentUploads(client));

class AttachmentUploads {
  readonly uploads = new Store<readonly AttachmentUpload[]>([]);
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
    client.onForget(() => this.uploads.set([]));
  }

  /** Uploads files for a message. Those beyond the permitted number are not, and a message says so. */
  add(draftKey: string, files: readonly File[]): void {
    const before = readDraftAttachments(this.#client, draftKey).length + this.#of(draftKey).length;
    const taken = files.slice(0, Math.max(0, MAX_ATTACHMENTS - before));
    if (taken.length < files.length) {
      toasts(this.#client).show({ message: `A message takes ${MAX_ATTACHMENTS} files at most`, tone: "danger" });
    }
    const added = taken.map((file): AttachmentUpload => ({ id: newLocalId(), draftKey, file, error: null }));
    this.uploads.set([...this.uploads.get(), ...added]);
    void this.#sendAll(added);
  }

  /** Uploads a file again that was not uploaded. */
  retry(upload: AttachmentUpload): void {
    this.#replace(upload.id, { ...upload, error: null });
    void this.#send(upload);
  }

  /** Takes a file out; if it is being uploaded, it does not become part of the message. */
  remove({ id }: AttachmentUpload): void {
    this.#replace(id, null);
  }

  /** One after the other, so that they keep their order. */
  async #sendAll(uploads: readonly AttachmentUpload[]): Promise<void> {
    for (const upload of uploads) await this.#send(upload);
  }

  async #send(upload: AttachmentUpload): Promise<void> {
    const { id, draftKey, file } = upload;
    const isWanted = () => this.uploads.get().some((other) => other.id === id);
    if (!isWanted()) return;
    try {
      const { name, content } = await contentOf(file);
      const { data } = await this.#client.api.conversations.attach.mutate({ name: toName(name), content });
      if (!isWanted()) return;
      keepContent(this.#client.queries, data, content);
      writeDraftAttachments(this.#client, draftKey, [...readDraftAttachments(this.#client, draftKey), data]);
      this.#replace(id, null);
    } catch (error) {
      const { message } = error instanceof FileTooLargeError ? error : toRequestError(error);
      this.#replace(id, { ...upload, error: message });
    }
  }

  #of(draftKey: string): readonly AttachmentUpload[] {
    return this.uploads.get().filter((upload) => upload.draftKey === draftKey);
  }

  #replace(id: string, next: AttachmentUpload | null): void {
    this.uploads.set(this.uploads.get().flatMap((upload) => (upload.id === id ? (next ?? []) : upload)));
  }
}

const MAX_NAME = 200;

const toName = (name: string) => (name.trim() === "" ? "File" : name.trim().slice(0, MAX_NAME).toWellFormed());
