import { setImmediate as nextTurn } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { InvalidInputError } from "../../platform/errors.ts";
import { encodeText } from "../../platform/text-pieces.ts";
import { normalizeTags } from "../../work/tasks/tags.ts";
import { HEAD_BYTES, toText } from "../file-records/document-content.ts";
import type { StoredDocument } from "../file-records/document.queries.ts";
import { markdownFields } from "../markdown/document-fields.ts";
import { removeFrontmatterField, setFrontmatterField } from "../markdown/frontmatter-edit.ts";
import { replaceBody } from "../markdown/frontmatter.ts";
import { nameOf } from "../vault/vault-path.ts";
import type { UpdateDocument } from "./document.schema.ts";
import { replaceText } from "./open-document.ts";

type ContentPatch = Pick<UpdateDocument, "title" | "tags" | "fields" | "body">;

/**
 * The new content of a file after an update of its body or, in Markdown, its frontmatter. Null if the update does not change
 * the file. Throws {@link InvalidInputError} for a file that is not text, which editing would corrupt, and for fields of a
 * file that cannot have any.
 */
export async function editContent(
  { fileType, path }: Pick<StoredDocument, "fileType" | "path">,
  bytes: Uint8Array,
  patch: ContentPatch,
): Promise<Buffer | null> {
  const isMarkdown = fileType === "markdown";
  if (!isMarkdown && patch.fields !== undefined) throw new InvalidInputError("Only a Markdown file can have fields.");
  const { title, tags, fields, body } = patch;
  const affectsFile = body !== undefined || (isMarkdown && [title, tags, fields].some((part) => part !== undefined));
  if (!affectsFile) return null;
  const before = await toText(bytes);
  if (before === null) throw new InvalidInputError("The file is not UTF-8 text; it can be replaced, but not edited.");
  const after = isMarkdown ? await editMarkdown(nameOf(path), before, patch) : replaceText(before, body ?? before);
  return after === before ? null : encodeText(after);
}

/**
 * Sets the fields one at a time, yielding to the event loop in between, because each involves parsing the text. A title or
 * tags that the document already has are not written again, whatever their source: a title may be a heading or the file name.
 */
async function editMarkdown(
  fileName: string,
  text: string,
  { title, tags, fields = {}, body }: ContentPatch,
): Promise<string> {
  let edited = body === undefined ? text : replaceBody(text, body);
  const readFields = () => markdownFields(fileName, edited.slice(0, HEAD_BYTES));
  if (title !== undefined && readFields().title !== title) {
    edited = setFrontmatterField(edited, "title", title);
  }
  if (tags !== undefined && !isDeepStrictEqual(readFields().tags, normalizeTags(tags))) {
    edited = setFrontmatterField(edited, "tags", normalizeTags(tags));
  }
  for (const [name, value] of Object.entries(fields)) {
    await nextTurn();
    edited = value === null ? removeFrontmatterField(edited, name) : setFrontmatterField(edited, name, value);
  }
  return edited;
}
