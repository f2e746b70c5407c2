import { addItem, addMember, elementsOf, isContainer, removeElement } from "./json-edit.ts";
import { styleOf } from "./json-style.ts";
import {
  type JsonArrayNode,
  type JsonDialect,
  type JsonNode,
  JsonSyntaxError,
  memberOf,
  parseJsonTree,
} from "./json-tree.ts";

/** What is to stand in a settings file: for each of the assistant's events, one entry at the end of its list. */
export interface EntryPlan {
  readonly dialect: JsonDialect;
  /** Members that the file must have beside `hooks`, added where missing: Cursor's `version`. */
  readonly required: Readonly<Record<string, string | number>>;
  readonly entries: readonly { readonly event: string; readonly value: unknown }[];
}

/** What an edit had to create, so that it can be taken back to the byte. */
export interface CreatedParts {
  /** Paths of the members that were not there, as `hooks` and `hooks/PreToolUse`; "" is the document itself. */
  readonly members: readonly string[];
  /** What stood between the brackets of containers that were there, and empty. */
  readonly emptyInners: Readonly<Record<string, string>>;
}

export const NOTHING_CREATED: CreatedParts = { members: [], emptyInners: {} };

/** How an entry of ours is known, also where the ledger is lost: by the command that it runs. */
const OUR_COMMAND = /workspace-hooks(?:\.cjs)?['"]? run [A-Za-z]+/;

export function isOurCommand(command: unknown): boolean {
  return typeof command === "string" && OUR_COMMAND.test(command);
}

/** Adds the entries of a plan. Throws a JsonSyntaxError where the file is malformed or of another shape. */
export function addEntries(text: string, plan: EntryPlan): { readonly text: string; readonly created: CreatedParts } {
  const editor = new EntryEditor(text, plan.dialect);
  for (const [key, value] of Object.entries(plan.required)) editor.requireMember("", key, value);
  editor.requireContainer("", "hooks", {});
  for (const { event, value } of plan.entries) {
    editor.requireContainer("hooks", event, []);
    editor.append(`hooks/${event}`, value);
  }
  return { text: editor.text, created: editor.created };
}

/** Takes every entry of ours out, and what `created` says was made for them. Foreign entries stay as they are. */
export function removeEntries(text: string, dialect: JsonDialect, created: CreatedParts | undefined): string {
  let current = text;
  for (;;) {
    const next = removeFirstEntry(current, dialect, created);
    if (next === undefined) break;
    current = next;
  }
  return removeCreated(current, dialect, created, text);
}

/** Every command of ours in a file, by event. */
export function findEntries(
  text: string,
  dialect: JsonDialect,
): readonly { readonly event: string; readonly command: string }[] {
  const hooks = memberOf(parseJsonTree(text, dialect), "hooks")?.value;
  if (hooks?.kind !== "object") return [];
  return hooks.members.flatMap(({ key, value }) =>
    value.kind === "array"
      ? value.items
          .flatMap(commandsOf)
          .filter(isOurCommand)
          .map((command) => ({ event: key, command }))
      : [],
  );
}

/** The commands of a list's item: its own, or those of its group. */
function commandsOf(item: JsonNode): readonly string[] {
  const own = memberOf(item, "command")?.value;
  const group = memberOf(item, "hooks")?.value;
  const commands = own?.kind === "scalar" && typeof own.value === "string" ? [own.value] : [];
  return group?.kind === "array" ? [...commands, ...group.items.flatMap(commandsOf)] : commands;
}

class EntryEditor {
  text: string;
  readonly #dialect: JsonDialect;
  readonly #members: string[] = [];
  readonly #emptyInners: Record<string, string> = {};

  constructor(text: string, dialect: JsonDialect) {
    this.#dialect = dialect;
    this.text = text;
    if (parseJsonTree(text, dialect) !== undefined) return;
    this.#members.push("");
    // Nothing but blanks, and perhaps a byte order mark, which stays in front.
    this.text = text.startsWith("\uFEFF") ? "\uFEFF{}\n" : "{}\n";
  }

  get created(): CreatedParts {
    return { members: this.#members, emptyInners: this.#emptyInners };
  }

  requireMember(path: string, key: string, value: unknown): void {
    const node = this.#at(path);
    if (node.kind !== "object")
      throw new JsonSyntaxError(`"${path || "the document"}" is no object`, this.text, node.start);
    if (memberOf(node, key) !== undefined) return;
    const added = addMember(this.text, node, key, value, styleOf(this.text), this.#dialect);
    this.#note(path, added.emptyInner);
    this.#members.push(join(path, key));
    this.text = added.text;
  }

  requireContainer(path: string, key: string, empty: object): void {
    this.requireMember(path, key, empty);
    const node = this.#at(join(path, key));
    const expected = Array.isArray(empty) ? "array" : "object";
    if (node.kind === expected) return;
    throw new JsonSyntaxError(
      `"${join(path, key)}" is no ${expected === "array" ? "list" : "object"}`,
      this.text,
      node.start,
    );
  }

  append(path: string, value: unknown): void {
    const node = this.#at(path);
    if (node.kind !== "array") throw new JsonSyntaxError(`"${path}" is no list`, this.text, node.start);
    const added = addItem(this.text, node, value, styleOf(this.text), this.#dialect);
    this.#note(path, added.emptyInner);
    this.text = added.text;
  }

  #note(path: string, emptyInner: string | undefined): void {
    const isOurs = this.#members.includes(path);
    if (emptyInner !== undefined && !isOurs) this.#emptyInners[path] = emptyInner;
  }

  #at(path: string): JsonNode {
    const node = nodeAt(this.text, path, this.#dialect);
    if (node === undefined) throw new JsonSyntaxError(`"${path}" is missing`, this.text, 0);
    return node;
  }
}

function join(path: string, key: string): string {
  return path === "" ? key : `${path}/${key}`;
}

function nodeAt(text: string, path: string, dialect: JsonDialect): JsonNode | undefined {
  let node = parseJsonTree(text, dialect);
  for (const key of path === "" ? [] : path.split("/")) node = memberOf(node, key)?.value;
  return node;
}

/** Takes out one entry of ours; undefined where there is none left. */
function removeFirstEntry(text: string, dialect: JsonDialect, created: CreatedParts | undefined): string | undefined {
  const hooks = nodeAt(text, "hooks", dialect);
  if (hooks?.kind !== "object") return undefined;
  for (const { key, value } of hooks.members) {
    if (value.kind !== "array") continue;
    const index = value.items.findIndex((item) => commandsOf(item).some(isOurCommand));
    const item = value.items[index];
    if (item === undefined) continue;
    if (commandsOf(item).every(isOurCommand)) {
      return removeElement(text, value, index, created?.emptyInners[`hooks/${key}`] ?? "", dialect);
    }
    return removeFromGroup(text, item, dialect);
  }
  return undefined;
}

/** Someone put a hook of their own into our group: only ours goes. */
function removeFromGroup(text: string, group: JsonNode, dialect: JsonDialect): string | undefined {
  const hooks = memberOf(group, "hooks")?.value;
  if (hooks?.kind !== "array") return undefined;
  const index = hooks.items.findIndex((hook) => commandsOf(hook).every(isOurCommand));
  return index === -1 ? undefined : removeElement(text, hooks, index, "", dialect);
}

/** Removes what was created and is empty now. Without a record of it: the lists that became empty by this. */
function removeCreated(text: string, dialect: JsonDialect, created: CreatedParts | undefined, before: string): string {
  const paths = created?.members ?? emptiedPaths(text, before, dialect);
  let current = text;
  for (const path of paths.toReversed().filter((candidate) => candidate !== "")) {
    const node = nodeAt(current, path, dialect);
    if (node === undefined) continue;
    // A plain member, like Cursor's `version`, stays for as long as there are hooks that need it.
    const isNeeded = isContainer(node) ? elementsOf(node).length > 0 : nodeAt(current, "hooks", dialect) !== undefined;
    if (!isNeeded) current = removeMember(current, path, dialect, created);
  }
  return current;
}

function removeMember(text: string, path: string, dialect: JsonDialect, created: CreatedParts | undefined): string {
  const slash = path.lastIndexOf("/");
  const parentPath = slash === -1 ? "" : path.slice(0, slash);
  const parent = nodeAt(text, parentPath, dialect);
  if (parent?.kind !== "object") return text;
  const index = parent.members.findLastIndex((member) => member.key === path.slice(slash + 1));
  return index === -1 ? text : removeElement(text, parent, index, created?.emptyInners[parentPath] ?? "", dialect);
}

function emptiedPaths(text: string, before: string, dialect: JsonDialect): readonly string[] {
  const lists = (source: string): readonly (readonly [string, JsonArrayNode])[] => {
    const hooks = nodeAt(source, "hooks", dialect);
    if (hooks?.kind !== "object") return [];
    return hooks.members.flatMap(({ key, value }) =>
      value.kind === "array" ? [[`hooks/${key}`, value] as const] : [],
    );
  };
  const wereFilled = new Set(
    lists(before)
      .filter(([, list]) => list.items.length > 0)
      .map(([path]) => path),
  );
  const emptied = lists(text)
    .filter(([path, list]) => list.items.length === 0 && wereFilled.has(path))
    .map(([path]) => path);
  return emptied.length === 0 ? [] : ["hooks", ...emptied];
}

/** Whether a document holds nothing any more, so that a file that was made for our entries can go. */
export function isEmptyDocument(text: string, dialect: JsonDialect, created: CreatedParts): boolean {
  const root = parseJsonTree(text, dialect);
  if (root === undefined) return true;
  if (root.kind !== "object") return false;
  return root.members.every((member) => created.members.includes(member.key) && member.value.kind === "scalar");
}
