import { syntaxTree } from "@codemirror/language";
import type { EditorState, Range } from "@codemirror/state";
import {
  Decoration,
  ViewPlugin,
  type DecorationSet,
  type EditorView,
  type ViewUpdate,
  type WidgetType,
} from "@codemirror/view";
import type { SyntaxNodeRef } from "@lezer/common";
import { findWikiLinks, readCalloutHeader, readInlineMath, type WikiLink } from "@workspace/markdown";
import { resolveWikiLink } from "../links/wiki-links.ts";
import { Formula } from "./formula.ts";
import { Bullet, Label, Rule, TaskBox, VaultImage } from "./inline-widgets.ts";
import { imageAddress, noteContext, plainTarget } from "./note-context.ts";
import { isInCode } from "./syntax-context.ts";

const hide = Decoration.replace({});
/** More than a screenful of an ordinary note needs. The rest remains plain text, because drawing it would block the page. */
const MAX_DECORATIONS = 500;
const INLINE_CLASSES: Readonly<Record<string, string>> = {
  MarkedText: "cm-marked",
  StrongEmphasis: "cm-strong",
  Emphasis: "cm-emphasis",
  Strikethrough: "cm-struck",
  InlineCode: "cm-code",
  CodeInfo: "cm-mark",
  TableDelimiter: "cm-mark",
  LinkMark: "cm-mark",
  HTMLTag: "cm-mark",
  Comment: "cm-mark",
};
const LINE_CLASSES: Readonly<Record<string, string>> = {
  FencedCode: "cm-code-line",
  CodeBlock: "cm-code-line",
  Table: "cm-table-line",
  TableHeader: "cm-table-header-line",
};
const INLINE_MARKS = new Set(["EmphasisMark", "StrikethroughMark", "CodeMark", "MarkedTextMark"]);
const FOOTNOTE = /\[\^[^\]\s^]{1,100}\]:?/g;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
/** More than the first line of a callout needs. */
const MAX_HEADER = 300;

/**
 * Shows Markdown while it is edited as it will look: marks are hidden except at the caret, check boxes can be clicked, images of
 * the vault are shown, and links are shown as their text.
 */
export const livePreview = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = decorate(view);
    }

    update(update: ViewUpdate): void {
      const isOther =
        update.docChanged ||
        update.viewportChanged ||
        update.selectionSet ||
        update.focusChanged ||
        syntaxTree(update.startState) !== syntaxTree(update.state) ||
        update.startState.facet(noteContext) !== update.state.facet(noteContext);
      if (isOther) this.decorations = decorate(update.view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

/** Collects the decorations of one pass over the visible text. */
interface Pass {
  readonly state: EditorState;
  /** The visible range. A block may extend far beyond it. */
  readonly from: number;
  readonly to: number;
  readonly found: Range<Decoration>[];
  /** Whether the caret is in or next to a range, so that its marks are shown. */
  isTouched(from: number, to: number): boolean;
}

function decorate(view: EditorView): DecorationSet {
  const { state } = view;
  const found: Range<Decoration>[] = [];
  const isTouched = (from: number, to: number) =>
    view.hasFocus && state.selection.ranges.some((range) => range.from <= to && range.to >= from);
  for (const { from, to } of view.visibleRanges) {
    const pass: Pass = { state, from, to, found, isTouched };
    syntaxTree(state).iterate({ from, to, enter: (node) => decorateNode(pass, node) });
    const text = state.sliceDoc(from, to);
    decorateWikiLinks(pass, text);
    decorateFootnotes(pass, text);
    if (RIGHT_TO_LEFT.test(text)) giveDirections(pass);
  }
  return Decoration.set(found, true);
}

/** Returns false if nothing within the node is to be decorated. */
function decorateNode(pass: Pass, node: SyntaxNodeRef): boolean | undefined {
  if (pass.found.length >= MAX_DECORATIONS) return false;
  const { name, from, to } = node;
  const inline = INLINE_CLASSES[name];
  if (inline !== undefined) mark(pass, from, to, inline);
  const line = LINE_CLASSES[name];
  if (line !== undefined) markLines(pass, from, to, line);
  const heading = /^(?:ATX|Setext)Heading(\d)$/.exec(name)?.[1];
  if (heading !== undefined) markLines(pass, from, to, `cm-heading cm-heading-${heading}`);

  if (name === "HeaderMark") hideHeaderMark(pass, from, to);
  else if (INLINE_MARKS.has(name)) hideInlineMark(pass, node);
  else if (name === "Blockquote") decorateQuote(pass, from, to);
  else if (name === "InlineMath") decorateFormula(pass, from, to);
  else if (name === "QuoteMark") hideUnlessTouched(pass, from, to, lineRange(pass, from));
  else if (name === "ListMark") decorateListMark(pass, node);
  else if (name === "TaskMarker") decorateTask(pass, node);
  else if (name === "HorizontalRule" && !pass.isTouched(from, to)) replace(pass, from, to, new Rule());
  else if (name === "URL") decorateUrl(pass, node);
  else if (name === "Link") return decorateLink(pass, node);
  else if (name === "Image") return decorateImage(pass, node);
  return undefined;
}

function hideHeaderMark(pass: Pass, from: number, to: number): void {
  const line = lineRange(pass, from);
  const isAtStart = from === line.from || pass.state.sliceDoc(line.from, from).trim() === "";
  const isUnderline = isAtStart && to === line.to;
  // The space after the mark is hidden with it.
  if (!isUnderline) hideUnlessTouched(pass, from, isAtStart ? Math.min(to + 1, line.to) : to, line);
}

function hideInlineMark(pass: Pass, { node, from, to }: SyntaxNodeRef): void {
  const { parent } = node;
  if (parent === null || parent.name === "FencedCode") mark(pass, from, to, "cm-mark");
  else hideUnlessTouched(pass, from, to, parent);
}

function decorateListMark(pass: Pass, { node, from, to }: SyntaxNodeRef): void {
  const isTask = node.nextSibling?.name === "Task";
  const isBullet = node.parent?.parent?.name === "BulletList";
  const { from: lineStart } = lineRange(pass, from);
  if (pass.state.sliceDoc(lineStart, from).trim() === "") mark(pass, lineStart, from, "cm-indent");
  if (isTask && !pass.isTouched(from, to)) pass.found.push(hide.range(from, Math.min(to + 1, pass.state.doc.length)));
  else if (isBullet && !pass.isTouched(from, to)) replace(pass, from, to, new Bullet());
  else mark(pass, from, to, "cm-list-mark");
}

function decorateTask(pass: Pass, { node, from, to }: SyntaxNodeRef): void {
  const isDone = /x/i.test(pass.state.sliceDoc(from, to));
  replace(pass, from, to, new TaskBox(isDone));
  const end = node.parent?.to ?? to;
  if (isDone && end > to + 1) mark(pass, to + 1, end, "cm-done");
}

function decorateLink(pass: Pass, { node, from, to }: SyntaxNodeRef): boolean | undefined {
  const url = node.getChild("URL");
  const [, end] = node.getChildren("LinkMark");
  if (url === null || end === undefined || end.from <= from + 1) return undefined;
  const target = plainTarget(pass.state.sliceDoc(url.from, url.to));
  pass.found.push(Decoration.mark({ class: "cm-link", attributes: { "data-link": target } }).range(from + 1, end.from));
  if (pass.isTouched(from, to)) return undefined;
  pass.found.push(hide.range(from, from + 1), hide.range(end.from, to));
  return undefined;
}

/** A URL on its own is a link; one within a link is hidden by the link's text. */
function decorateUrl(pass: Pass, { node, from, to }: SyntaxNodeRef): void {
  const isBare = node.parent?.name !== "Link" && node.parent?.name !== "Image";
  const attributes = { "data-link": pass.state.sliceDoc(from, to) };
  if (isBare) pass.found.push(Decoration.mark({ class: "cm-link", attributes }).range(from, to));
  else mark(pass, from, to, "cm-mark");
}

function decorateImage(pass: Pass, { node, from, to }: SyntaxNodeRef): boolean | undefined {
  const url = node.getChild("URL");
  if (url === null || pass.isTouched(from, to)) return undefined;
  const target = plainTarget(pass.state.sliceDoc(url.from, url.to));
  const address = imageAddress(target, pass.state.facet(noteContext));
  if (address === null) return undefined;
  const label = /^!\[([^\]]*)\]/.exec(pass.state.sliceDoc(from, to))?.[1] ?? "";
  replace(pass, from, to, new VaultImage(address, label === "" ? target : label));
  return false;
}

function decorateWikiLinks(pass: Pass, text: string): void {
  if (!text.includes("[[")) return;
  for (const link of findWikiLinks(text, pass.from)) {
    if (pass.found.length >= MAX_DECORATIONS) return;
    if (!isInCode(pass.state, link.from)) decorateWikiLink(pass, link);
  }
}

function decorateWikiLink(pass: Pass, link: WikiLink): void {
  const { from, to, label, isEmbed } = link;
  const context = pass.state.facet(noteContext);
  const found = resolveWikiLink(link, context.path, context.links);
  const target = found?.target ?? link.target;
  const isTouched = pass.isTouched(from, to);
  const address = isEmbed ? imageAddress(target, context) : null;
  if (address !== null && !isTouched) return replace(pass, from, to, new VaultImage(address, label ?? target));
  const isKnown = found !== null;
  const start = from + (isEmbed ? 3 : 2);
  const end = to - 2;
  const shownFrom = label === null ? start : start + pass.state.sliceDoc(start, end).indexOf("|") + 1;
  const shown = Decoration.mark({
    class: isKnown ? "cm-link" : "cm-link cm-link-new",
    attributes: { "data-link": target, title: isKnown ? target : `Create “${target}”` },
  });
  pass.found.push(shown.range(isTouched ? start : shownFrom, end));
  if (!isTouched) pass.found.push(hide.range(from, shownFrom), hide.range(end, to));
}

/** References to footnotes, and what their texts begin with. */
function decorateFootnotes(pass: Pass, text: string): void {
  if (!text.includes("[^")) return;
  for (const { 0: label, index } of text.matchAll(FOOTNOTE)) {
    if (pass.found.length >= MAX_DECORATIONS) return;
    const from = pass.from + index;
    if (isInCode(pass.state, from)) continue;
    const isDefinition = label.endsWith(":") && from === lineRange(pass, from).from;
    const to = from + label.length - (label.endsWith(":") && !isDefinition ? 1 : 0);
    pass.found.push(Decoration.mark({ class: isDefinition ? "cm-mark" : "cm-footnote" }).range(from, to));
  }
}

/** A line that contains right-to-left text begins on the side of its first letter. */
function giveDirections({ state, from, to, found }: Pass): void {
  for (let line = state.doc.lineAt(from); ; line = state.doc.lineAt(line.to + 1)) {
    if (RIGHT_TO_LEFT.test(line.text)) found.push(Decoration.line({ attributes: { dir: "auto" } }).range(line.from));
    if (line.to >= to) return;
  }
}

/** A quote, or a callout with its colour and without the mark of its kind. */
function decorateQuote(pass: Pass, from: number, to: number): void {
  const { to: lineEnd } = lineRange(pass, from);
  const text = pass.state.sliceDoc(from, Math.min(lineEnd, from + MAX_HEADER));
  const markLength = /^>[ \t]?/.exec(text)?.[0].length ?? 0;
  const header = readCalloutHeader(text.slice(markLength));
  if (header === null) return markLines(pass, from, to, "cm-quote-line");
  markLines(pass, from, to, `cm-quote-line cm-callout-line cm-callout-${header.kind}`);
  if (from < pass.from) return;
  markLines(pass, from, from, "cm-callout-title");
  const line = lineRange(pass, from);
  const start = from + markLength;
  const end = header.title === "" ? lineEnd : from + text.indexOf(header.title, text.indexOf("]"));
  if (pass.isTouched(line.from, line.to)) mark(pass, start, end, "cm-mark");
  else if (header.title === "") replace(pass, start, end, new Label(header.label));
  else pass.found.push(hide.range(start, end));
}

function decorateFormula(pass: Pass, from: number, to: number): void {
  const formula = readInlineMath(pass.state.sliceDoc(from, to), 0);
  if (formula === null || pass.isTouched(from, to)) mark(pass, from, to, "cm-code");
  else replace(pass, from, to, new Formula(formula.text));
}

interface Place {
  readonly from: number;
  readonly to: number;
}

function lineRange(pass: Pass, position: number): Place {
  return pass.state.doc.lineAt(position);
}

function hideUnlessTouched(pass: Pass, from: number, to: number, place: Place): void {
  if (pass.isTouched(place.from, place.to)) mark(pass, from, to, "cm-mark");
  else if (from < to) pass.found.push(hide.range(from, to));
}

function mark({ found }: Pass, from: number, to: number, name: string): void {
  if (from < to) found.push(Decoration.mark({ class: name }).range(from, to));
}

function replace({ found }: Pass, from: number, to: number, widget: WidgetType): void {
  found.push(Decoration.replace({ widget }).range(from, to));
}

function markLines({ state, found, ...sight }: Pass, from: number, to: number, name: string): void {
  const last = state.doc.lineAt(Math.min(to, sight.to)).number;
  for (let number = state.doc.lineAt(Math.max(from, sight.from)).number; number <= last; number += 1) {
    found.push(Decoration.line({ class: name }).range(state.doc.line(number).from));
  }
}
