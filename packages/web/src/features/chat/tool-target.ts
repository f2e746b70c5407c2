import type { ToolResult, ToolUse } from "../agents/run-steps.tsx";

/** What a call of a tool has changed, as far as its arguments and its result say. */
export type ToolTarget =
  | { readonly kind: "task"; readonly id: string }
  | { readonly kind: "new-project" | "new-memory" | "deleted-memory" | "restored-note"; readonly id: string }
  | { readonly kind: "note"; readonly path: string }
  | { readonly kind: "deleted-file"; readonly path: string }
  | { readonly kind: "moved-file"; readonly path: string; readonly newPath: string };

const ID_FIRST = /^\{(?:"data":\{)?"id":"([0-9a-f-]{36})"/;
const PATH_FIRST = /^\{(?:"data":\{)?"path":("(?:[^"\\]|\\.)*")/;

const READING_TASKS = new Set(
  "list tags get count parties ready blocks reminders details linked activity sessions views comment".split(" "),
);

/** Returns null for a call that changes nothing, and for changes that are not shown. The result may be cut. */
export function targetOf({ name, input }: ToolUse, { content }: ToolResult): ToolTarget | null {
  const given = (key: string) => (typeof input[key] === "string" ? input[key] : null);
  const withId = (kind: Extract<ToolTarget, { id: string }>["kind"], id: string | null) => id && { kind, id };
  const newId = ID_FIRST.exec(content)?.[1] ?? null;
  const [path, task] = [given("path"), /^tasks_(.+)$/.exec(name)?.[1]];
  if (task !== undefined) return READING_TASKS.has(task) ? null : orNull(withId("task", given("id") ?? newId));
  switch (name) {
    case "notes_create":
    case "notes_edit":
    case "notes_append":
    case "fs_write":
      return path === null ? null : { kind: "note", path: trimmed(path) };
    case "notes_today": {
      const written = PATH_FIRST.exec(content)?.[1];
      return written === undefined ? null : { kind: "note", path: trimmed(String(JSON.parse(written))) };
    }
    case "notes_move":
      return toMove(path, given("newPath"));
    case "fs_rename":
      return toMove(given("oldPath"), given("newPath"));
    case "fs_delete":
      return path === null ? null : { kind: "deleted-file", path: trimmed(path) };
    case "documents_restore":
      return orNull(withId("restored-note", given("id")));
    case "projects_create":
      return orNull(withId("new-project", newId));
    case "memory_store":
      return orNull(withId("new-memory", newId));
    case "memory_delete":
      return orNull(withId("deleted-memory", given("id")));
    default:
      return null;
  }
}

const orNull = <Value>(value: Value | "" | null): Value | null => (value === "" ? null : value);
const trimmed = (path: string) => path.replace(/^\/+/, "");

function toMove(path: string | null, newPath: string | null): ToolTarget | null {
  if (path === null || newPath === null) return null;
  return { kind: "moved-file", path: trimmed(path), newPath: trimmed(newPath) };
}
