import { useEffect, useEffectEvent, useState, type ClipboardEvent, type RefObject } from "react";
import { useClient } from "../../client/use-client.ts";
import { useStore } from "../../client/store.ts";
import { attachmentUploads, type AttachmentUpload } from "./attachment-uploads.ts";
import { useDraftAttachments, writeDraftAttachments, type Attachment } from "./attachments.ts";

export interface Attaching {
  readonly attachments: readonly Attachment[];
  readonly uploads: readonly AttachmentUpload[];
  /** Whether files are dragged over the conversation. */
  readonly isOver: boolean;
  set(attachments: readonly Attachment[]): void;
  add(files: readonly File[]): void;
  /** To be called on a paste: files, and texts that are too long for a message, are attached. */
  onPaste(event: ClipboardEvent): void;
}

/** Lets one attach files to the draft of a message, also by dropping them anywhere in its section. */
export function useAttaching(draftKey: string, formRef: RefObject<HTMLElement | null>, maxLength: number): Attaching {
  const client = useClient();
  const attachments = useDraftAttachments(draftKey);
  const uploads = useStore(attachmentUploads(client).uploads).filter((upload) => upload.draftKey === draftKey);
  const add = (files: readonly File[]) => attachmentUploads(client).add(draftKey, files);
  const isOver = useDroppedFiles(formRef, add);
  return {
    attachments,
    uploads,
    isOver,
    set: (next) => writeDraftAttachments(client, draftKey, next),
    add,
    onPaste(event) {
      const { files } = event.clipboardData;
      const text = event.clipboardData.getData("text/plain");
      // Programs that copy text often add a picture of it.
      if (text === "" && files.length > 0) add([...files]);
      else if (text.length > maxLength) add([new File([text], "Pasted text.txt", { type: "text/plain" })]);
      else return;
      event.preventDefault();
    },
  };
}

/** Takes files that are dropped in the section around an element. Returns whether some are dragged over it. */
function useDroppedFiles(ref: RefObject<HTMLElement | null>, onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const take = useEffectEvent(onFiles);
  useEffect(() => {
    const section = ref.current?.closest("section");
    if (section === null || section === undefined) return undefined;
    const onDragOver = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes("Files") !== true) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
      setOver(true);
    };
    const onDragLeave = ({ relatedTarget }: DragEvent) => {
      if (!(relatedTarget instanceof Node && section.contains(relatedTarget))) setOver(false);
    };
    const onDrop = (event: DragEvent) => {
      setOver(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      take(files);
    };
    section.addEventListener("dragover", onDragOver);
    section.addEventListener("dragleave", onDragLeave);
    section.addEventListener("drop", onDrop);
    return () => {
      section.removeEventListener("dragover", onDragOver);
      section.removeEventListener("dragleave", onDragLeave);
      section.removeEventListener("drop", onDrop);
    };
  }, [ref]);
  return isOver;
}
