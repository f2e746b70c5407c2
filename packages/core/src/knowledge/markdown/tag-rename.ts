import { normalizeTags } from "../../work/tasks/tags.ts";
import { frontmatterTags } from "./document-fields.ts";
import { setFrontmatterField } from "./frontmatter-edit.ts";
import { parseMarkdown } from "./frontmatter.ts";
import { isTagWithin } from "./tag-form.ts";
import { findTagRanges } from "./text-tags.ts";

/** A tag and its new name. Those nested in it keep the rest of theirs. */
export interface TagRename {
  readonly from: string;
  readonly to: string;
}

/**
 * Renames a tag in the frontmatter and in the text of a note, as far as `limit`. Everything else stays as it is. Returns the new text, and
 * how often the tag was found.
 */
export function renameTag(text: string, { from, to }: TagRename, limit: number): { text: string; count: number } {
  const renamed = (tag: string) => (isTagWithin(tag, from) ? to + tag.slice(from.length) : tag);
  const head = text.slice(0, limit);
  const { metadata, head: frontmatter } = parseMarkdown(head);
  const parts: string[] = [];
  let keptTo = 0;
  let count = 0;
  for (const { tag, start, end } of findTagRanges(head, frontmatter.length)) {
    if (renamed(tag) === tag) continue;
    parts.push(text.slice(keptTo, start), renamed(tag));
    keptTo = end;
    count += 1;
  }
  const inText = parts.join("") + text.slice(keptTo);
  const tags = frontmatterTags(metadata);
  const changed = tags.filter((tag) => renamed(tag) !== tag).length;
  if (changed === 0) return { text: inText, count };
  return { text: setFrontmatterField(inText, "tags", normalizeTags(tags.map(renamed))), count: count + changed };
}
