export const FILE_TYPES = ["markdown", "text", "binary"] as const;
export type FileType = (typeof FILE_TYPES)[number];

const MARKDOWN_EXTENSION = /\.(?:md|markdown)$/i;

/** Whether a file counts as Markdown, regardless of its content. */
export function isMarkdownName(name: string): boolean {
  return MARKDOWN_EXTENSION.test(name);
}

/** A file name without its extension. A name that consists only of an extension is returned unchanged. */
export function withoutExtension(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}

/** A file name without `.md` or `.markdown`; other extensions are kept. */
export function withoutMarkdownExtension(name: string): string {
  return name.replace(MARKDOWN_EXTENSION, "");
}
