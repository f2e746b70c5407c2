import type { Element, ElementContent, Root, RootContent } from "hast";

/** Elements with marks in Markdown, by what they mean. */
const MARKED: ReadonlyMap<string, string> = new Map([
  ["b", "strong"],
  ["strong", "strong"],
  ["i", "em"],
  ["em", "em"],
  ["s", "del"],
  ["strike", "del"],
  ["del", "del"],
  ["mark", "mark"],
  ["a", "a"],
]);
const LITERAL = /^(?:pre|code|kbd)$/;

/**
 * Moves spaces and line breaks at the ends of emphasis, marks and links out of them, where Markdown could only write them as
 * entities, and undoes emphasis within the same emphasis.
 */
export function tidyMarks(tree: Root): void {
  tree.children = tidyAll(tree.children, new Set());
}

function tidyAll(nodes: readonly RootContent[], around: ReadonlySet<string>): ElementContent[] {
  return nodes.flatMap((node): ElementContent[] => {
    if (node.type === "element") return tidy(node, around);
    return node.type === "text" ? [node] : [];
  });
}

function tidy(element: Element, around: ReadonlySet<string>): ElementContent[] {
  const { tagName, properties } = element;
  if (LITERAL.test(tagName) || "dataRaw" in properties || "dataCallout" in properties) return [element];
  const meaning = MARKED.get(tagName);
  element.children = tidyAll(element.children, meaning === undefined ? around : new Set([...around, meaning]));
  if (meaning === undefined) return [element];
  if (around.has(meaning)) return element.children;
  const before = takeSpace(element.children, "before");
  const after = takeSpace(element.children, "after");
  return element.children.length === 0 ? [...before, ...after] : [...before, element, ...after];
}

/** Removes the spaces and line breaks at one end, and returns them in order. */
function takeSpace(nodes: ElementContent[], end: "before" | "after"): ElementContent[] {
  const taken: ElementContent[] = [];
  const add = (node: ElementContent) => (end === "before" ? taken.push(node) : taken.unshift(node));
  for (;;) {
    const node = end === "before" ? nodes[0] : nodes.at(-1);
    if (node === undefined) return taken;
    if (node.type === "text") {
      const rest = end === "before" ? node.value.trimStart() : node.value.trimEnd();
      const length = node.value.length - rest.length;
      if (rest !== "") {
        const space = end === "before" ? node.value.slice(0, length) : node.value.slice(rest.length);
        if (length > 0) add({ type: "text", value: space });
        node.value = rest;
        return taken;
      }
    } else if (node.type !== "element" || node.tagName !== "br") return taken;
    add(node);
    if (end === "before") nodes.shift();
    else nodes.pop();
  }
}
