export const FILE_TYPES = ["markdown", "text", "binary"] as const;
export type FileType = (typeof FILE_TYPES)[number];

const MARKDOWN_ENDING = /\.(?:md|markdown)$/i;

/** Whether a file counts as Markdown, whatever is in it. */
export function isMarkdownName(name: string): boolean {
  return MARKDOWN_ENDING.test(name);
}

/** A file name without the ending that says its type; a name that is all ending stays as it is. */
export function withoutEnding(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}

/** A file name without `.md` or `.markdown`; other endings belong to the name. */
export function withoutMarkdownEnding(name: string): string {
  return name.replace(MARKDOWN_ENDING, "");
}
