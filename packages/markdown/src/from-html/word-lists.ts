import type { Element, ElementContent, Properties } from "hast";

const LEVEL = /mso-list:[^;]*\blevel(\d)/i;

/** Word writes the items of lists as paragraphs that name their level; here, they become lists again. */
export function groupWordLists(nodes: readonly ElementContent[]): ElementContent[] {
  const result: ElementContent[] = [];
  /** The lists that are open, from the outermost one. */
  let lists: Element[] = [];
  for (const node of nodes) {
    const level = node.type === "element" ? levelOf(node) : null;
    const isBetween = node.type === "text" && node.value.trim() === "";
    if (level === null || node.type !== "element") {
      if (!isBetween) lists = [];
      result.push(node);
      continue;
    }
    lists = lists.slice(0, level);
    while (lists.length < level) lists.push(openList(lists.at(-1), result));
    lists.at(-1)?.children.push({ type: "element", tagName: "li", properties: {}, children: node.children });
  }
  return result;
}

/** The styles of an element, as they are written. */
export function styleOf({ style }: Properties): string {
  return typeof style === "string" ? style.toLowerCase() : "";
}

function levelOf({ properties }: Element): number | null {
  const level = LEVEL.exec(styleOf(properties))?.[1];
  return level === undefined ? null : Math.min(Number(level) || 1, 9);
}

function openList(outer: Element | undefined, result: ElementContent[]): Element {
  const list: Element = { type: "element", tagName: "ul", properties: {}, children: [] };
  const item = outer?.children.at(-1);
  if (item?.type === "element") item.children.push(list);
  else if (outer === undefined) result.push(list);
  else outer.children.push({ type: "element", tagName: "li", properties: {}, children: [list] });
  return list;
}
