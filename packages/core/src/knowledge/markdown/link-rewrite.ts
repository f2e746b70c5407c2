import { inSlices } from "../../platform/in-slices.ts";
import { isMarkdownName } from "./file-type.ts";
import { parseMarkdown } from "./frontmatter.ts";
import { findLinkRanges, type LinkRange } from "./link-ranges.ts";
import { findTarget, writeDestination, type WrittenTarget } from "./link-target-form.ts";
import { findPropertyLinks, writeProperty, type PropertyLink } from "./property-links.ts";
import type { Linkable, LinkResolver, LinkTarget, ResolvedLink } from "./wiki-links.ts";

/** A link that is to refer to a document. */
export interface PlannedLink {
  readonly link: LinkTarget;
  readonly written: WrittenTarget;
  readonly documentId: string;
}

/** The document that a link is to refer to. */
export interface MeantDocument<Document> {
  readonly document: Document;
  readonly written: WrittenTarget;
}

export interface LinkRewrite<Document extends Linkable> {
  readonly text: string;
  /** Where they end; what follows is left alone. */
  readonly to: number;
  /** The path of the file. */
  readonly path: string;
  /** What a link is to refer to; null to leave it as it is. */
  readonly meant: (link: LinkTarget) => MeantDocument<Document> | null;
  readonly resolve: LinkResolver<Document>;
}

export interface RewrittenLinks {
  readonly text: string;
  /** The links as they are now, with the documents that they refer to. */
  readonly changed: readonly PlannedLink[];
}

/**
 * Changes the links that no longer refer to the documents meant, so that they do. Only their targets change: labels, headings, blocks
 * and everything else stay as they are, byte for byte. A link that cannot be changed is left alone. Yields to other work in between.
 */
export async function rewriteLinks<Document extends Linkable>(rewrite: LinkRewrite<Document>): Promise<RewrittenLinks> {
  const { text, to } = rewrite;
  const parsed = parseMarkdown(text.slice(0, to));
  const properties = findPropertyLinks(parsed);
  const body = findLinkRanges(text.slice(0, to), parsed.head.length);
  const rewritten = await rewriteRanges(rewrite, [...properties, ...body]);
  if (properties.length === 0 || hasProperties(rewritten.text, properties.length)) return rewritten;
  return rewriteRanges(rewrite, body);
}

/** Whether a text has readable frontmatter with so many links: a name may contain characters that mean something in it. */
function hasProperties(text: string, count: number): boolean {
  return findPropertyLinks(parseMarkdown(text)).length === count;
}

async function rewriteRanges<Document extends Linkable>(
  { text, path, meant, resolve }: LinkRewrite<Document>,
  ranges: readonly (LinkRange | PropertyLink)[],
): Promise<RewrittenLinks> {
  const parts: string[] = [];
  const changed: PlannedLink[] = [];
  let keptTo = 0;
  await inSlices(ranges, (range) => {
    const link = { target: range.target.trim(), part: range.part };
    const wanted = meant(link);
    if (wanted === null || isRight(range.kind, wanted, resolve(link, path))) return;
    const edit = editLink(text, range, wanted, { path, resolve });
    if (edit === null) return;
    parts.push(text.slice(keptTo, edit.start), edit.written);
    keptTo = edit.end;
    const { link: newLink, target } = edit;
    changed.push({ link: newLink, written: { ...wanted.written, target }, documentId: wanted.document.id });
  });
  return changed.length === 0 ? { text, changed } : { text: parts.join("") + text.slice(keptTo), changed };
}

/**
 * Whether a link refers to the document meant. In a Markdown link, an exact path must remain one, because other programs do not find
 * files by the end of their path.
 */
function isRight<Document extends Linkable>(
  kind: LinkRange["kind"],
  { document, written }: MeantDocument<Document>,
  found: ResolvedLink<Document> | null,
): boolean {
  if (found?.document.id !== document.id) return false;
  return kind === "wiki" || found.form !== "ending" || written.form === "ending";
}

interface LinkEdit {
  readonly start: number;
  readonly end: number;
  /** What replaces the text between them. */
  readonly written: string;
  readonly link: LinkTarget;
  /** The path in the link, which may be longer than it seems. */
  readonly target: string;
}

type Place<Document extends Linkable> = Pick<LinkRewrite<Document>, "path" | "resolve">;

function editLink<Document extends Linkable>(
  text: string,
  range: LinkRange | PropertyLink,
  { document, written }: MeantDocument<Document>,
  { path: from, resolve }: Place<Document>,
): LinkEdit | null {
  const { kind, start } = range;
  if (kind === "markdown") {
    const target = findTarget({ kind, from, written, part: "", document, resolve });
    if (target === null) return null;
    const destination = writeDestination(target, text.slice(start, range.end), text[start - 1] === "<");
    return { start, end: range.end, written: destination, target, link: { target, part: "" } };
  }
  // Of `[[C# notes#Heading]]`, the target may be longer than it seems.
  const part = (range.target + range.part).slice(written.target.length);
  const target = findTarget({ kind, from, written, part, document, resolve });
  const quotes = "quotes" in range ? range.quotes : "none";
  const end = start + writeProperty(written.target, quotes).length;
  if (target !== null) {
    return { start, end, written: writeProperty(target, quotes), target, link: splitAtMark(target, part) };
  }
  // A property has no other form of links.
  if ("quotes" in range) return null;
  const withExtension = isMarkdownName(document.path) ? { ...written, target: `${written.target}.md` } : written;
  const markdown = findTarget({ kind: "markdown", from, written: withExtension, part: "", document, resolve });
  return markdown === null ? null : toMarkdownLink(text, { range, target: markdown, part, name: written.target });
}

/** A wiki link with this target and part as it is read. */
function splitAtMark(target: string, part: string): LinkTarget {
  const mark = target.search(/[#^]/);
  return mark === -1 ? { target, part } : { target: target.slice(0, mark).trim(), part: target.slice(mark) + part };
}

interface Conversion {
  readonly range: LinkRange;
  readonly target: string;
  readonly part: string;
  readonly name: string;
}

/** A wiki link as a Markdown link, for a file with brackets in its name. */
function toMarkdownLink(text: string, { range, target, part, name }: Conversion): LinkEdit {
  const closing = text.indexOf("]]", range.end + range.part.length);
  const start = text.lastIndexOf("[[", range.start);
  const label = text.slice(range.end + range.part.length, closing).replace(/^\s*\\?\|/, "");
  const destination = writeDestination(target, "", false);
  const anchor = part.replaceAll(/[\s()<>]/g, encodeURIComponent);
  const isEmbed = text[start - 1] === "!";
  const shown = label !== "" || isEmbed ? label : name;
  const written = `[${shown}](${destination}${anchor})`;
  return { start, end: closing + 2, written, target, link: { target, part: "" } };
}
