import { normalizeTags } from "../tasks/tags.ts";
import { parseMarkdown } from "./frontmatter.ts";
import { withoutEnding } from "./file-type.ts";
import { findLinks } from "./wiki-links.ts";

const MAX_TITLE_LENGTH = 500;
const MAX_LINE_LENGTH = 1_000;
const MAX_TAGS = 100;
const MAX_TAG_LENGTH = 100;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}#(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/;
const COMMENT = /^ {0,3}<!--/;
const UNDERLINE = /^ {0,3}=+[ \t]*$/;

/** What a file's text says about its document. */
export interface DocumentFields {
  readonly title: string;
  readonly tags: string[];
  /** The paths that its links name. */
  readonly links: string[];
}

/** The fields of a Markdown document: from its frontmatter, else its first level-1 heading, else its file name. */
export function markdownFields(fileName: string, text: string): DocumentFields {
  const { metadata, body } = parseMarkdown(text);
  const title = toTitle(metadata["title"]) ?? toTitle(findHeading(body)) ?? fileTitle(fileName);
  return { title, tags: toTags(metadata["tags"]), links: findLinks(body) };
}

/** The title of a document whose text has none to give. */
export function fileTitle(fileName: string): string {
  return toTitle(withoutEnding(fileName)) ?? fileName;
}

/** The first level-1 heading outside of code and comments. */
function findHeading(body: string): string | null {
  let fence: string | null = null;
  let isComment = false;
  let previous = "";
  for (const line of linesOf(body)) {
    if (fence === null && (isComment || COMMENT.test(line))) {
      isComment = !line.includes("-->");
      continue;
    }
    const marker = FENCE.exec(line)?.[1];
    if (fence !== null) {
      if (marker?.startsWith(fence) === true) fence = null;
      continue;
    }
    if (marker !== undefined) fence = marker;
    const heading = HEADING.exec(line)?.[1];
    if (heading !== undefined && heading !== "") return heading;
    if (UNDERLINE.test(line) && previous.trim() !== "") return previous;
    previous = line;
  }
  return null;
}

function* linesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = text.indexOf("\n", start);
    const next = end === -1 ? text.length : end;
    // Longer lines are no headings; looking at their start keeps this fast for any text.
    yield text.slice(start, Math.min(next, start + MAX_LINE_LENGTH)).replace(/\r$/, "");
    start = next + 1;
  }
}

function toTitle(value: unknown): string | null {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return null;
  const title = toStorable(String(value)).trim().slice(0, MAX_TITLE_LENGTH).toWellFormed();
  return title === "" ? null : title;
}

/** A list, or text with commas between the tags, or spaces where there are none. */
function toTags(value: unknown): string[] {
  const items: unknown[] = Array.isArray(value) ? value : typeof value === "string" ? splitTags(value) : [];
  const tags = items
    .filter((item) => typeof item === "string" || typeof item === "number" || typeof item === "boolean")
    .map((item) => toStorable(String(item)).slice(0, MAX_TAG_LENGTH).toWellFormed());
  return normalizeTags(tags).slice(0, MAX_TAGS);
}

function splitTags(text: string): string[] {
  return text.split(text.includes(",") ? "," : /\s+/);
}

/** The database takes neither NUL characters nor halves of surrogate pairs, which YAML's escapes can make. */
function toStorable(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}
