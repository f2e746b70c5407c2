import { normalizeTags } from "../../work/tasks/tags.ts";
import { isClosingFence, openingFence } from "./code-fence.ts";
import { withoutExtension } from "./file-type.ts";
import { parseMarkdown } from "./frontmatter.ts";
import { findPropertyLinks } from "./property-links.ts";
import { MAX_TAG_LENGTH } from "./tag-form.ts";
import { findTextTags } from "./text-tags.ts";
import { findLinks, type LinkTarget } from "./wiki-links.ts";

const MAX_TITLE_LENGTH = 500;
const MAX_LINE_LENGTH = 1_000;
/** Headings after this many lines are not considered as titles. */
const MAX_LINES = 20_000;
const MAX_TAGS = 100;
/** The length of all tags together, written as text. */
const MAX_TAG_TEXT_LENGTH = MAX_TAGS * (MAX_TAG_LENGTH + 1);
const HEADING = /^ {0,3}#(?=[ \t])/;
const COMMENT = /^ {0,3}<!--/;
const UNDERLINE = /^ {0,3}=+[ \t]*$/;

/** The fields of a document that are derived from its text. */
export interface DocumentFields {
  readonly title: string;
  /** Those of the frontmatter. */
  readonly tags: string[];
  /** Those in the text, such as `#garden`. */
  readonly textTags: string[];
  /** What it links to. */
  readonly links: LinkTarget[];
}

/** The fields of a Markdown document. The title is from the frontmatter, else the first level-1 heading, else the file name. */
export function markdownFields(fileName: string, text: string): DocumentFields {
  const parts = parseMarkdown(text);
  const { metadata, body } = parts;
  const links = findLinks(body, findPropertyLinks(parts));
  const title = toTitle(metadata["title"]) ?? toTitle(findHeading(body)) ?? fileTitle(fileName);
  return { title, tags: frontmatterTags(metadata), textTags: findTextTags(body), links };
}

/** The title of a document whose text does not provide one. */
export function fileTitle(fileName: string): string {
  return toTitle(withoutExtension(fileName)) ?? fileName;
}

/** The first level-1 heading outside of code and comments. */
function findHeading(body: string): string | null {
  let fence: ReturnType<typeof openingFence> = null;
  let isComment = false;
  let previous = "";
  for (const line of linesOf(body)) {
    if (fence !== null) {
      if (isClosingFence(line, fence)) fence = null;
      continue;
    }
    if (isComment || COMMENT.test(line)) {
      isComment = !line.includes("-->");
      continue;
    }
    fence = openingFence(line);
    const heading = HEADING.test(line) ? headingText(line) : "";
    if (heading !== "") return heading;
    if (UNDERLINE.test(line) && previous.trim() !== "") return previous;
    previous = line;
  }
  return null;
}

/** The text of a heading without the optional closing sequence: `# text ##`. */
function headingText(line: string): string {
  const text = line.slice(line.indexOf("#") + 1).trim();
  let end = text.length;
  while (text[end - 1] === "#") end -= 1;
  const isClosed = end === 0 || text[end - 1] === " " || text[end - 1] === "\t";
  return isClosed ? text.slice(0, end).trimEnd() : text;
}

function* linesOf(text: string): Generator<string> {
  for (let start = 0, count = 0; start < text.length && count < MAX_LINES; count += 1) {
    const end = text.indexOf("\n", start);
    const next = end === -1 ? text.length : end;
    // Longer lines are not headings; examining only their start keeps this fast for any text.
    const line = text.slice(start, Math.min(next, start + MAX_LINE_LENGTH));
    yield line.endsWith("\r") ? line.slice(0, -1) : line;
    start = next + 1;
  }
}

function toTitle(value: unknown): string | null {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return null;
  const title = toStorable(String(value)).trim().slice(0, MAX_TITLE_LENGTH).toWellFormed();
  return title === "" ? null : title;
}

/** The tags of the frontmatter: a list, or text in which they are separated by commas or, without any commas, by spaces. */
export function frontmatterTags({ tags: value }: Readonly<Record<string, unknown>>): string[] {
  const items: unknown[] = Array.isArray(value) ? value : typeof value === "string" ? splitTags(value) : [];
  const tags = items
    .filter((item) => typeof item === "string" || typeof item === "number" || typeof item === "boolean")
    .map((item) => toStorable(String(item)).slice(0, MAX_TAG_LENGTH).toWellFormed());
  return normalizeTags(tags).slice(0, MAX_TAGS);
}

function splitTags(text: string): string[] {
  // No more than this can be kept anyway.
  return text.slice(0, MAX_TAG_TEXT_LENGTH).split(text.includes(",") ? "," : /\s/);
}

/** Removes NUL characters and lone surrogates, which YAML escapes can produce but the database cannot store. */
function toStorable(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}
