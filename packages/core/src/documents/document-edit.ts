import { setImmediate as nextTurn } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { InvalidInputError } from "../platform/errors.ts";
import { normalizeTags } from "../tasks/tags.ts";
import { nameOf } from "../vault/vault-path.ts";
import { HEAD_BYTES, toText } from "./document-content.ts";
import { markdownFields } from "./document-fields.ts";
import type { StoredDocument } from "./document.queries.ts";
import type { UpdateDocument } from "./document.schema.ts";
import { replaceBody } from "./frontmatter.ts";
import { removeFrontmatterField, setFrontmatterField } from "./frontmatter-edit.ts";
import { replaceText } from "./open-document.ts";

type ContentPatch = Pick<UpdateDocument, "title" | "tags" | "fields" | "body">;

/**
 * The new bytes of a file after an update: its body, and in Markdown the frontmatter's fields. Null where the update leaves
 * the file as it is. Throws {@link InvalidInputError} for a file that is not text, which editing would destroy, and for fields
 * of a file that has none.
 */
export async function editContent(
  { fileType, path }: Pick<StoredDocument, "fileType" | "path">,
  bytes: Uint8Array,
  patch: ContentPatch,
): Promise<Buffer | null> {
  const isMarkdown = fileType === "markdown";
  if (!isMarkdown && patch.fields !== undefined) throw new InvalidInputError("Only a Markdown file has fields.");
  const { title, tags, fields, body } = patch;
  const concernsFile = body !== undefined || (isMarkdown && [title, tags, fields].some((part) => part !== undefined));
  if (!concernsFile) return null;
  const before = toText(bytes);
  if (before === null) throw new InvalidInputError("The file is not UTF-8 text; it can be replaced, but not edited.");
  const after = isMarkdown ? await editMarkdown(nameOf(path), before, patch) : replaceText(before, body ?? before);
  return after === before ? null : Buffer.from(after);
}

/**
 * Each field is parsed and checked by itself, so others get their turn between two of them. A title or tags that the text
 * already has are not written again, wherever they come from: a title may be a heading or the file's name.
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
