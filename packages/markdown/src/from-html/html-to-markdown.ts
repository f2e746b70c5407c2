import type { Element, Root as HtmlRoot } from "hast";
import type { Html, Root, RootContent, Table } from "mdast";
import rehypeParse from "rehype-parse";
import rehypeRemark, { type Options } from "rehype-remark";
import remarkGfm from "remark-gfm";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import { cleanHtml } from "./clean-html.ts";
import { cleanNotion } from "./notion-html.ts";
import { tidyMarks } from "./tidy-marks.ts";

type State = Parameters<NonNullable<NonNullable<Options["handlers"]>[string]>>[0];

/** Inline elements that Markdown has no marks of its own for. */
const handlers: NonNullable<Options["handlers"]> = {
  mark: (state: State, element: Element) => markOf(state, element),
  sub: (state: State, element: Element) => between(state, element, "<sub>", "</sub>"),
  sup: (state: State, element: Element) => between(state, element, "<sup>", "</sup>"),
  kbd: (state: State, element: Element) => between(state, element, "<kbd>", "</kbd>"),
};

const converter = converterWith(cleanHtml);
const notionConverter = converterWith(cleanNotion);

function converterWith(clean: (tree: HtmlRoot) => void) {
  return unified()
    .use(rehypeParse, { fragment: true })
    .use(() => clean)
    .use(() => tidyMarks)
    .use(rehypeRemark, { handlers })
    .use(() => withHeaders)
    .use(remarkGfm)
    .use(remarkStringify, { bullet: "-", rule: "-", emphasis: "*", fences: true, listItemIndent: "one" })
    .freeze();
}

/**
 * HTML from a clipboard as Markdown: headings, lists, links, tables, code and emphasis, of web pages, Google Docs, Word and
 * spreadsheets. Everything else becomes its text; scripts, styles and links to them disappear. Throws if it is nested too
 * deeply. May take seconds.
 */
export function htmlToMarkdown(html: string): string {
  return String(converter.processSync(html)).trim();
}

/** A page that Notion has exported as HTML, as Markdown; its properties are lines of a block of code
 * `notion-properties`. Like {@link htmlToMarkdown}. */
export function notionToMarkdown(html: string): string {
  return `${String(notionConverter.processSync(html)).trim()}\n`;
}

/** Marked words, or what is to be written as it is. */
function markOf(state: State, element: Element): (Html | RootContent)[] {
  const { dataCallout, dataRaw } = element.properties;
  const raw = dataCallout ?? dataRaw;
  return typeof raw === "string" ? [written(raw)] : between(state, element, "==", "==");
}

function between(state: State, element: Element, opening: string, closing: string): (Html | RootContent)[] {
  return [written(opening), ...state.all(element), written(closing)];
}

/** What is written as it is, in its line: without the name of such an element it would be a block of its own in a list or a quote. */
function written(value: string): Html {
  return { type: "html", value, data: { hName: "span" } };
}

/** A table without a header gets its first row as one: Markdown has no other tables. */
function withHeaders(node: Root | RootContent): void {
  if (node.type === "table") dropEmptyHeader(node);
  if ("children" in node) node.children.forEach(withHeaders);
}

function dropEmptyHeader(table: Table): void {
  const [header] = table.children;
  if (header === undefined || table.children.length < 2) return;
  if (header.children.every(({ children }) => children.length === 0)) table.children.shift();
}
