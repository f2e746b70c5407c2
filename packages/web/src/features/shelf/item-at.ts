import type { ShelfKey } from "./shelf.ts";

const IN_SEARCH: readonly (readonly [parameter: string, page: RegExp, kind: ShelfKey["kind"]])[] = [
  ["task", /^\//, "task"],
  ["doc", /^\/documents$/, "document"],
  ["conversation", /^\/chat$/, "conversation"],
  ["memory", /^\/memory$/, "memory"],
];
const IN_PATH: readonly (readonly [path: RegExp, kind: ShelfKey["kind"]])[] = [
  [/^\/projects\/([^/]+)$/, "project"],
  [/^\/hooks\/sessions\/([^/]+)$/, "session"],
  [/^\/agents\/([^/]+)$/, "agent"],
];

/** What a URL of the dashboard shows; null if it is a page and no item. */
export function itemAt(href: string): ShelfKey | null {
  const { pathname, searchParams } = new URL(href, "http://dashboard");
  for (const [parameter, page, kind] of IN_SEARCH) {
    const id = searchParams.get(parameter);
    if (id !== null && id !== "" && page.test(pathname)) return { kind, id };
  }
  for (const [path, kind] of IN_PATH) {
    const id = path.exec(pathname)?.[1];
    if (id !== undefined) return { kind, id: decodeURIComponent(id) };
  }
  return null;
}
