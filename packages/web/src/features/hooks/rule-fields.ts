type JsonObject = Readonly<Record<string, unknown>>;

/** What the form shows of a rule; lists are names, globs or paths. */
export interface RuleFields {
  readonly id: string;
  readonly decision: string;
  readonly reason: string;
  /** Whether it is about what the user writes, not about calls of tools. */
  readonly isAboutPrompts: boolean;
  /** What the prompt must contain. */
  readonly prompt: string;
  readonly projects: readonly string[];
  readonly tools: readonly string[];
  readonly programs: readonly string[];
  /** What the command must contain. */
  readonly pattern: string;
  readonly paths: readonly string[];
  readonly access: readonly string[];
  readonly isOutside: boolean;
  /** The name of a detector; empty for none. */
  readonly effect: string;
}

/** The rules in a text that has been checked by `problemOf`; undefined if they cannot be read. */
export function rulesIn(text: string): readonly JsonObject[] | undefined {
  if (text.trim() === "") return [];
  try {
    const rules: unknown = JSON.parse(text);
    return Array.isArray(rules) && rules.every(isObject) ? rules : undefined;
  } catch {
    return undefined;
  }
}

export function textOfRules(rules: readonly JsonObject[]): string {
  return JSON.stringify(rules, null, 2);
}

/** Whether nothing has been said yet of what a rule is about, as of one that has just been added. */
export function isWithoutConditions({ when }: JsonObject): boolean {
  return Object.keys(objectIn(when)).length === 0;
}

export function fieldsOf({ id, decision, reason, when }: JsonObject): RuleFields {
  const { tool, project, command, path, prompt, detect } = objectIn(when);
  const { program, matches } = objectIn(command);
  const { in: inside, access, outsideProject } = objectIn(path);
  return {
    id: textIn(id),
    decision: textIn(decision),
    reason: textIn(reason),
    isAboutPrompts: prompt !== undefined,
    prompt: textIn(prompt),
    projects: textsIn(project),
    tools: textsIn(tool),
    programs: textsIn(program),
    pattern: textIn(matches),
    paths: textsIn(inside),
    access: textsIn(access),
    isOutside: outsideProject === true,
    effect: textIn(isObject(detect) ? detect["name"] : detect),
  };
}

/** Applies what was entered to a rule. Whatever the form does not show stays, except conditions that no longer apply. */
export function withFields(rule: JsonObject, fields: RuleFields): JsonObject {
  const before = objectIn(rule["when"]);
  const when = fields.isAboutPrompts
    ? { prompt: fields.prompt }
    : filled({
        ...before,
        prompt: undefined,
        project: listOr(fields.projects),
        tool: listOr(fields.tools),
        command: objectOr({
          ...objectIn(before["command"]),
          program: listOr(fields.programs),
          matches: fields.pattern || undefined,
        }),
        path: objectOr({
          ...objectIn(before["path"]),
          in: listOr(fields.paths),
          access: listOr(fields.access),
          outsideProject: fields.isOutside || undefined,
        }),
        detect: detectorOf(before["detect"], fields.effect),
      });
  return filled({ ...rule, id: fields.id, decision: fields.decision, reason: fields.reason || undefined, when });
}

/** The conditions of a rule that the form does not show. */
export function hiddenConditions({ when }: JsonObject): string[] {
  const { command, path, input, detect } = objectIn(when);
  return [
    objectIn(command)["args"] === undefined ? undefined : "args",
    objectIn(path)["notIn"] === undefined ? undefined : "notIn",
    input === undefined ? undefined : "input",
    isObject(detect) && Object.keys(detect).length > 1 ? "detect" : undefined,
  ].filter((name) => name !== undefined);
}

/** What a rule is about, in a line: "npm publish, in ~/work". */
export function summaryOfRule(fields: RuleFields): string {
  const { programs, pattern, paths, tools, effect, projects } = fields;
  if (fields.isAboutPrompts) return `Prompts: ${fields.prompt}`;
  return [
    [programs.join(" or "), pattern].filter(Boolean).join(" "),
    paths.join(" or "),
    tools.join(" or "),
    effect,
    projects.length === 0 ? "" : `in ${projects.join(" or ")}`,
  ]
    .filter(Boolean)
    .join(", ");
}

/** A name for a new rule that no other rule has. */
export function freeId(rules: readonly JsonObject[]): string {
  const taken = new Set(rules.map(({ id }) => id));
  for (let number = rules.length + 1; ; number += 1) if (!taken.has(`rule-${number}`)) return `rule-${number}`;
}

/** Names separated by commas or lines, as they are typed. */
export function splitNames(text: string): string[] {
  return text
    .split(/[,\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** What else a detector is given, such as branches, only makes sense for the same detector. */
function detectorOf(before: unknown, name: string): unknown {
  if (name === "") return undefined;
  return isObject(before) && before["name"] === name ? before : name;
}

function filled(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

function objectOr(object: JsonObject): JsonObject | undefined {
  const kept = filled(object);
  return Object.keys(kept).length === 0 ? undefined : kept;
}

function listOr(names: readonly string[]): readonly string[] | string | undefined {
  return names.length > 1 ? names : names[0];
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function objectIn(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function textsIn(value: unknown): string[] {
  return [value].flat().filter((text) => typeof text === "string");
}
