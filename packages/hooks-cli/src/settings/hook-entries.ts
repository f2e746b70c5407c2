import { addItem, addMember, removeElement } from "./json-edit.ts";
import { styleOf } from "./json-style.ts";
import {
  type JsonDialect,
  type JsonNode,
  JsonSyntaxError,
  elementsOf,
  membersOf,
  parseJsonTree,
  valueOf,
} from "./json-tree.ts";

/** What a settings file should contain: for each of the assistant's events, one entry at the end of its list. */
export interface EntryPlan {
  readonly dialect: JsonDialect;
  /** Members that the file must have besides `hooks`, added if missing: Cursor's `version`. */
  readonly required: Readonly<Record<string, string | number>>;
  readonly entries: readonly { readonly event: string; readonly value: unknown }[];
}

/** What an edit had to create, so that it can be reverted exactly. */
export interface CreatedParts {
  /** Paths of the members that did not exist, such as `hooks` and `hooks/PreToolUse`; "" is the document itself. */
  readonly members: readonly string[];
  /** The text between the brackets of containers that existed, but were empty. */
  readonly emptyInners: Readonly<Record<string, string>>;
}

export const NOTHING_CREATED: CreatedParts = { members: [], emptyInners: {} };

/** How an entry of ours is recognised even if the ledger is lost: by the command that it runs. */
const OUR_COMMAND = /workspace-hooks(?:\.cjs)?['"]? run [A-Za-z]+/;

export function isOurCommand(command: unknown): boolean {
  return typeof command === "string" && OUR_COMMAND.test(command);
}

/** Adds the entries of a plan. Throws a JsonSyntaxError if the file is malformed or has another structure. */
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

/** Removes every entry of ours, and what `created` lists as created for them. Foreign entries are kept unchanged. */
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
  const hooks = valueOf(parseJsonTree(text, dialect), "hooks");
  return membersOf(hooks).flatMap(({ key, value }) =>
    value.type === "array"
      ? elementsOf(value)
          .flatMap(commandsOf)
          .filter(isOurCommand)
          .map((command) => ({ event: key, command }))
      : [],
  );
}

/** The commands of a list's item: its own, or those of its group. */
function commandsOf(item: JsonNode): readonly string[] {
  const own = valueOf(item, "command");
  const group = valueOf(item, "hooks");
  const commands = own?.type === "string" ? [String(own.value)] : [];
  return group?.type === "array" ? [...commands, ...elementsOf(group).flatMap(commandsOf)] : commands;
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
    // Nothing but whitespace, and perhaps a byte order mark, which stays at the front.
    this.text = text.startsWith("\uFEFF") ? "\uFEFF{}\n" : "{}\n";
  }

  get created(): CreatedParts {
    return { members: this.#members, emptyInners: this.#emptyInners };
  }

  requireMember(path: string, key: string, value: unknown): void {
    const node = this.#at(path);
    if (node.type !== "object")
      throw new JsonSyntaxError(`"${path || "the document"}" is not an object`, this.text, node.offset);
    if (valueOf(node, key) !== undefined) return;
    const added = addMember(this.text, node, key, value, styleOf(this.text));
    this.#note(path, added.emptyInner);
    this.#members.push(join(path, key));
    this.text = added.text;
  }

  requireContainer(path: string, key: string, empty: object): void {
    this.requireMember(path, key, empty);
    const node = this.#at(join(path, key));
    const expected = Array.isArray(empty) ? "array" : "object";
    if (node.type === expected) return;
    throw new JsonSyntaxError(
      `"${join(path, key)}" is not ${expected === "array" ? "a list" : "an object"}`,
      this.text,
      node.offset,
    );
  }

  append(path: string, value: unknown): void {
    const node = this.#at(path);
    if (node.type !== "array") throw new JsonSyntaxError(`"${path}" is not a list`, this.text, node.offset);
    const added = addItem(this.text, node, value, styleOf(this.text));
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
  for (const key of path === "" ? [] : path.split("/")) node = valueOf(node, key);
  return node;
}

/** Removes one entry of ours; undefined if there is none left. */
function removeFirstEntry(text: string, dialect: JsonDialect, created: CreatedParts | undefined): string | undefined {
  const hooks = nodeAt(text, "hooks", dialect);
  for (const { key, value } of membersOf(hooks)) {
    if (value.type !== "array") continue;
    const index = elementsOf(value).findIndex((item) => commandsOf(item).some(isOurCommand));
    const item = elementsOf(value)[index];
    if (item === undefined) continue;
    if (commandsOf(item).every(isOurCommand)) {
      return removeElement(text, value, index, created?.emptyInners[`hooks/${key}`] ?? "");
    }
    return removeFromGroup(text, item);
  }
  return undefined;
}

/** Someone added a hook of their own to our group: only ours is removed. */
function removeFromGroup(text: string, group: JsonNode): string | undefined {
  const hooks = valueOf(group, "hooks");
  if (hooks?.type !== "array") return undefined;
  const index = elementsOf(hooks).findIndex((hook) => commandsOf(hook).every(isOurCommand));
  return index === -1 ? undefined : removeElement(text, hooks, index, "");
}

/** Removes what was created and is empty now. Without a record of that: the lists that this emptied. */
function removeCreated(text: string, dialect: JsonDialect, created: CreatedParts | undefined, before: string): string {
  const paths = created?.members ?? emptiedPaths(text, before, dialect);
  let current = text;
  for (const path of paths.toReversed().filter((candidate) => candidate !== "")) {
    const node = nodeAt(current, path, dialect);
    if (node === undefined) continue;
    // A plain member, such as Cursor's `version`, stays as long as there are hooks that need it.
    const isNeeded =
      node.children === undefined ? nodeAt(current, "hooks", dialect) !== undefined : node.children.length > 0;
    if (!isNeeded) current = removeMember(current, path, dialect, created);
  }
  return current;
}

function removeMember(text: string, path: string, dialect: JsonDialect, created: CreatedParts | undefined): string {
  const slash = path.lastIndexOf("/");
  const parentPath = slash === -1 ? "" : path.slice(0, slash);
  const parent = nodeAt(text, parentPath, dialect);
  const index = membersOf(parent).findLastIndex((member) => member.key === path.slice(slash + 1));
  if (parent === undefined || index === -1) return text;
  return removeElement(text, parent, index, created?.emptyInners[parentPath] ?? "");
}

function emptiedPaths(text: string, before: string, dialect: JsonDialect): readonly string[] {
  const lists = (source: string): readonly (readonly [string, JsonNode])[] => {
    const hooks = nodeAt(source, "hooks", dialect);
    return membersOf(hooks).flatMap(({ key, value }) =>
      value.type === "array" ? [[`hooks/${key}`, value] as const] : [],
    );
  };
  const wereFilled = new Set(
    lists(before)
      .filter(([, list]) => elementsOf(list).length > 0)
      .map(([path]) => path),
  );
  const emptied = lists(text)
    .filter(([path, list]) => elementsOf(list).length === 0 && wereFilled.has(path))
    .map(([path]) => path);
  return emptied.length === 0 ? [] : ["hooks", ...emptied];
}

/** Whether a document is now empty, so that a file created for our entries can be deleted. */
export function isEmptyDocument(text: string, dialect: JsonDialect, created: CreatedParts): boolean {
  const root = parseJsonTree(text, dialect);
  if (root === undefined) return true;
  if (root.type !== "object") return false;
  return membersOf(root).every(({ key, value }) => created.members.includes(key) && value.children === undefined);
}
