import type { Element, ElementContent, Root, RootContent } from "hast";

const DROPPED = new Set("script style template noscript head title meta link object embed iframe svg".split(" "));
const MAX_ICON = 12;
/** The language of the block of code with the properties of a page. */
export const NOTION_PROPERTIES = "notion-properties";

/** Prepares a page that Notion has exported as HTML: what only makes sense with its styles becomes what Markdown has marks for. */
export function cleanNotion(tree: Root): void {
  tree.children = cleanAll(tree.children);
}

function cleanAll(nodes: readonly RootContent[]): ElementContent[] {
  return withJoinedLists(nodes).flatMap((node): ElementContent[] => {
    if (node.type === "text") return [node];
    return node.type === "element" ? clean(node) : [];
  });
}

/** Each item has a list of its own: those that follow each other become one. */
function withJoinedLists(nodes: readonly RootContent[]): RootContent[] {
  const joined: RootContent[] = [];
  for (const node of nodes) {
    const last = joined.findLast((other) => other.type !== "text" || other.value.trim() !== "");
    if (isList(node) && last !== undefined && isList(last) && isSameList(node, last))
      last.children.push(...node.children);
    else joined.push(node);
  }
  return joined;
}

function isList(node: RootContent): node is Element {
  return node.type === "element" && (node.tagName === "ul" || node.tagName === "ol");
}

/** A numbered list that begins with 1 is another one. */
function isSameList(one: Element, other: Element): boolean {
  const isNew = one.tagName === "ol" && Number(one.properties["start"] ?? 1) === 1;
  return one.tagName === other.tagName && !isNew && classesOf(one).join(" ") === classesOf(other).join(" ");
}

function clean(element: Element): ElementContent[] {
  const { tagName } = element;
  if (DROPPED.has(tagName)) return [];
  const formula = formulaOf(element);
  if (formula !== null) return formula;
  if (tagName === "table" && hasClass(element, "properties")) return [toProperties(element)];
  if (hasClass(element, "page-header-icon") || hasClass(element, "page-header-icon-with-cover")) return [];
  if (tagName === "img" && hasClass(element, "page-cover-image")) return [];
  if (tagName === "figure" && hasClass(element, "callout")) return [toCallout(element)];
  if (tagName === "ul" && hasClass(element, "to-do-list")) return [toTasks(element)];
  if (tagName === "a" && hasClass(element, "bookmark")) return [toBookmark(element)];
  if (tagName === "pre") return [toCode(element)];
  element.children = cleanAll(element.children);
  if (tagName === "figure") return withoutImageLinks(element.children);
  if (tagName === "figcaption") return [create("p", [create("em", element.children)])];
  if (tagName === "details") return toToggle(element);
  if (hasClass(element, "icon")) return [];
  return [element];
}

/** The properties, one in each line of a block of code: `name: value`, as Notion writes them into Markdown. */
function toProperties(table: Element): Element {
  const rows = find(table, ({ tagName }) => tagName === "tr");
  const lines = rows.map((row) => {
    const [name] = find(row, ({ tagName }) => tagName === "th");
    const [value] = find(row, ({ tagName }) => tagName === "td");
    return `${oneLine(name)}: ${value === undefined ? "" : valueOf(value)}`;
  });
  const properties = { className: [`language-${NOTION_PROPERTIES}`] };
  const written = lines.filter((line) => !line.startsWith(": ") && !line.endsWith(": ")).join("\n");
  return create("pre", [{ type: "element", tagName: "code", properties, children: [text(written)] }]);
}

function valueOf(cell: Element): string {
  const [box] = find(cell, (part) => hasClass(part, "checkbox"));
  if (box !== undefined) return hasClass(box, "checkbox-on") ? "Yes" : "No";
  const selected = find(cell, (part) => hasClass(part, "selected-value"));
  return selected.length > 0 ? selected.map(oneLine).join(", ") : oneLine(cell);
}

function oneLine(element: Element | undefined): string {
  return element === undefined ? "" : textOf(element).replaceAll(/\s+/g, " ").trim();
}

function toCallout(figure: Element): Element {
  const [icon] = find(figure, (part) => hasClass(part, "icon"));
  const mark = icon === undefined ? "" : textOf(icon).trim();
  const title = mark !== "" && mark.length <= MAX_ICON ? ` ${mark}` : "";
  const parts = figure.children.filter(
    (child) => icon === undefined || child.type !== "element" || !contains(child, icon),
  );
  return create("blockquote", [
    create("p", [{ type: "element", tagName: "mark", properties: { dataCallout: `[!note]${title}` }, children: [] }]),
    ...cleanAll(parts),
  ]);
}

/** Tasks as GitHub writes them, which the converter knows. */
function toTasks(list: Element): Element {
  const items = list.children.flatMap((item): ElementContent[] => {
    if (item.type !== "element" || item.tagName !== "li") return [];
    const [box] = find(item, (part) => hasClass(part, "checkbox"));
    const isDone = box !== undefined && hasClass(box, "checkbox-on");
    const input: Element = {
      type: "element",
      tagName: "input",
      properties: { type: "checkbox", checked: isDone },
      children: [],
    };
    const rest = item.children.filter((child) => child !== box);
    const words = cleanAll(rest).flatMap((child) =>
      child.type === "element" && child.tagName === "span" ? child.children : [child],
    );
    return [{ ...item, children: [input, text(" "), ...words] }];
  });
  return { ...list, children: items };
}

function toBookmark(link: Element): Element {
  const [title] = find(link, (part) => hasClass(part, "bookmark-title"));
  const href = link.properties["href"] ?? "";
  const words = title === undefined ? "" : textOf(title).trim();
  return create("p", [{ ...link, properties: { href }, children: [text(words || href)] }]);
}

function toCode(block: Element): Element {
  const [code] = find(block, ({ tagName }) => tagName === "code");
  const language = classesOf(code ?? block).find((name) => name.startsWith("language-"));
  const className = language === undefined ? [] : [language.toLowerCase().replaceAll(/\s+/g, "-")];
  return create("pre", [
    { type: "element", tagName: "code", properties: { className }, children: [text(textOf(block))] },
  ]);
}

/** A formula, by its source, which is part of how it is shown. */
function formulaOf(element: Element): ElementContent[] | null {
  const isBlock = element.tagName === "figure" && hasClass(element, "equation");
  if (!isBlock && !hasClass(element, "notion-text-equation-token") && !hasClass(element, "katex")) return null;
  const [annotation] = find(element, ({ tagName }) => tagName === "annotation");
  if (annotation === undefined) return null;
  const source = withoutEscape(textOf(annotation).trim());
  const mark = isBlock ? "$$" : "$";
  const raw: Element = {
    type: "element",
    tagName: "mark",
    properties: { dataRaw: `${mark}${source}${mark}` },
    // Words, so that the spaces around them are kept.
    children: [text(source)],
  };
  return isBlock ? [create("p", [raw])] : [raw];
}

/** Without a backslash before what was a space at the end, which would escape the mark. */
function withoutEscape(source: string): string {
  let count = 0;
  while (source.charAt(source.length - 1 - count) === "\\") count += 1;
  return count % 2 === 1 ? source.slice(0, -1).trimEnd() : source;
}

/** An image links to itself. */
function withoutImageLinks(children: readonly ElementContent[]): ElementContent[] {
  return children.flatMap((child): ElementContent[] => {
    if (child.type !== "element" || child.tagName !== "a") return [child];
    const [image] = child.children;
    const isImage = child.children.length === 1 && image?.type === "element" && image.tagName === "img";
    return isImage ? [create("p", [image])] : [create("p", [child])];
  });
}

function toToggle(details: Element): ElementContent[] {
  return details.children.flatMap((child): ElementContent[] => {
    const isSummary = child.type === "element" && child.tagName === "summary";
    return isSummary ? [create("p", child.children)] : [child];
  });
}

function find(element: Element, isWanted: (element: Element) => boolean): Element[] {
  return element.children.flatMap((child) => {
    if (child.type !== "element") return [];
    return isWanted(child) ? [child] : find(child, isWanted);
  });
}

function contains(element: Element, inner: Element): boolean {
  return element === inner || find(element, (child) => child === inner).length > 0;
}

function textOf(node: Element): string {
  return node.children
    .map((child) => (child.type === "text" ? child.value : child.type === "element" ? textOf(child) : ""))
    .join("");
}

function classesOf({ properties: { className } }: Element): string[] {
  return Array.isArray(className) ? className.map(String) : [];
}

function hasClass(element: Element, name: string): boolean {
  return classesOf(element).includes(name);
}

function create(tagName: string, children: ElementContent[]): Element {
  return { type: "element", tagName, properties: {}, children };
}

function text(value: string): ElementContent {
  return { type: "text", value };
}
