import type { Deps } from "../../platform/deps.ts";
import { InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import { insertAttachment, selectAttachments } from "./attachment.queries.ts";
import { attachmentTypeOf } from "./attachment-type.ts";
import type { Attach, Attachment, AttachmentDetail } from "./conversation.schema.ts";

export type AttachmentService = ReturnType<typeof createAttachmentService>;

/** Files that are uploaded for messages. They are deleted with their conversation, or after a day if they are not sent. */
export function createAttachmentService({ db, clock, ids }: Deps<"db" | "clock" | "ids">) {
  return {
    /** Stores a file. Throws {@link InvalidInputError} if it is too large, or neither an image nor text. */
    async add({ name, content: base64 }: Attach, creatorId: string): Promise<Attachment> {
      const content = Buffer.from(base64, "base64");
      const type = attachmentTypeOf(content);
      if ("problem" in type) throw new InvalidInputError(type.problem);
      const attachment = { id: ids(), name, mediaType: type.mediaType, size: content.length };
      await insertAttachment(db.pool, { ...attachment, content, creatorId, now: clock.now() });
      return attachment;
    },

    /** With its content. Throws {@link NotFoundError}. */
    async get(id: string): Promise<AttachmentDetail> {
      const [attachment] = isUuid(id) ? await selectAttachments(db.pool, [id]) : [];
      if (attachment === undefined) throw new NotFoundError("There is no such attachment.");
      return { ...attachment, content: attachment.content.toString("base64") };
    },
  };
}
