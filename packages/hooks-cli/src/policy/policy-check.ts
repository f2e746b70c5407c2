import { type JsonRecord, type JsonValue, isArray, isRecord } from "../json/json-value.ts";
import { PACKS, SAFE_PACK, findEffectRule } from "../effects/effect-rules.ts";
import {
  DECISIONS,
  DETECTORS,
  type Decision,
  PATH_ACCESSES,
  type Policy,
  type Rule,
  type RuleConditions,
  type RuleExample,
} from "./policy.ts";
import { compileRulePattern } from "./rule-pattern.ts";
import { SHIPPED_RULES } from "./shipped-rules.ts";

export interface PolicyIssue {
  /** The location, for example `rules.0.when.prompt`. */
  readonly path: string;
  readonly message: string;
}

export type PolicyCheck =
  | { readonly policy: Policy; readonly issues: readonly [] }
  | { readonly policy: undefined; readonly issues: readonly PolicyIssue[] };

/**
 * Reads a value, records what is wrong with it, and returns something of the type regardless, so that everything is checked.
 */
type Reader<T> = (value: JsonValue | undefined, path: string, issues: PolicyIssue[]) => T;
type Readers = Readonly<Record<string, Reader<unknown>>>;
/** What an object's readers return; undefined fields are omitted. */
type Fields<R extends Readers> = { [K in keyof R]?: Exclude<ReturnType<R[K]>, undefined> };

const MAX_RULES = 2_000;
const MAX_PATTERN_LENGTH = 1_000;

/** Checks a policy, and reports everything that is wrong with it at once. */
export function checkPolicy(value: unknown): PolicyCheck {
  const issues: PolicyIssue[] = [];
  const document = isRecord(value) ? value : undefined;
  const { version, use = [], packs = [], decisions = {}, rules = [] } = readDocument(document, "", issues);
  if (version !== 1) issues.push({ path: "version", message: "expected 1" });
  const { shipped, effects } = rulesOfPacks(packs, decisions);
  const used = SHIPPED_RULES.flatMap((rule) => {
    const decision = use.includes(rule.id) ? (decisions[rule.id] ?? rule.decision) : shipped[rule.id];
    return decision === undefined || decision === "off" ? [] : [{ ...rule, decision }];
  });
  const policy = { rules: [...rules, ...used], ...(Object.keys(effects).length > 0 && { effects }) };
  const names = new Set<string>();
  const repeated = new Set(policy.rules.map(({ id }) => id).filter((id) => names.size === names.add(id).size));
  for (const id of repeated) issues.push({ path: "rules", message: `two rules are called ${id}` });
  return issues.length === 0 ? { policy, issues: [] } : { policy: undefined, issues };
}

/** What packs do by default, and what the document decides otherwise, also about rules whose pack is off. */
function rulesOfPacks(
  ids: readonly string[],
  decisions: Readonly<Record<string, Decision | "off">>,
): { shipped: Readonly<Record<string, Decision | "off">>; effects: Readonly<Record<string, Decision>> } {
  const packs = [SAFE_PACK, ...PACKS].filter(({ id }) => ids.includes(id));
  const shipped = Object.fromEntries(
    packs.flatMap((pack) => pack.shipped).map((id) => [id, decisions[id] ?? ("ask" as const)]),
  );
  const defaults = packs.flatMap(({ rules }) => rules).map(({ id, decision }) => [id, decision] as const);
  const chosen = Object.entries(decisions).filter(([id]) => findEffectRule(id) !== undefined);
  const effects: Record<string, Decision> = {};
  for (const [id, decision] of [...defaults, ...chosen]) {
    if (decision === "off") delete effects[id];
    else effects[id] = decision;
  }
  return { shipped, effects };
}

const anything: Reader<JsonValue | undefined> = (value) => value;

const text: Reader<string> = (value, path, issues) => {
  if (typeof value === "string" && value !== "") return value;
  issues.push({ path, message: "expected a string" });
  return "";
};

const flag: Reader<boolean> = (value, path, issues) => {
  if (typeof value !== "boolean") issues.push({ path, message: "expected true or false" });
  return value === true;
};

function matching(pattern: RegExp, expected: string): Reader<string> {
  return (value, path, issues) => {
    if (typeof value === "string" && pattern.test(value)) return value;
    issues.push({ path, message: `expected ${expected}` });
    return "";
  };
}

function oneOf<T extends string>(names: readonly [T, ...T[]]): Reader<T> {
  return (value, path, issues) => {
    const name = names.find((known) => known === value);
    if (name === undefined) issues.push({ path, message: `expected one of ${names.join(", ")}` });
    return name ?? names[0];
  };
}

/** Compiles the pattern, so that an invalid one is detected before it is needed. */
const pattern: Reader<string> = (value, path, issues) => {
  const source = text(value, path, issues);
  if (source.length > MAX_PATTERN_LENGTH)
    issues.push({ path, message: `expected at most ${MAX_PATTERN_LENGTH} characters` });
  try {
    compileRulePattern(source);
  } catch (error) {
    issues.push({ path, message: error instanceof Error ? error.message : String(error) });
  }
  return source;
};

function listOf<T>(read: Reader<T>, max = Number.POSITIVE_INFINITY): Reader<readonly T[]> {
  return (value, path, issues) => {
    if (isArray(value) && value.length <= max)
      return value.map((item, index) => read(item, `${path}.${index}`, issues));
    issues.push({ path, message: isArray(value) ? `expected at most ${max} entries` : "expected a list" });
    return [];
  };
}

/** One, or a list of at least one. */
function someOf<T>(read: Reader<T>): Reader<readonly T[]> {
  return (value, path, issues) => {
    if (!isArray(value)) return [read(value, path, issues)];
    if (value.length === 0) issues.push({ path, message: "expected at least one" });
    return listOf(read)(value, path, issues);
  };
}

/**
 * An object with these members, of which `required` must be present; `isFilled` requires at least one. An unknown name is an
 * error: a misspelt condition would be a missing one, and its rule would match too much.
 */
function object<R extends Readers>(
  readers: R,
  required: readonly (keyof R)[] = [],
  isFilled = false,
): Reader<Fields<R>> {
  return (value, path, issues) => {
    const record: JsonRecord = isRecord(value) ? value : {};
    const at = (key: string): string => (path === "" ? key : `${path}.${key}`);
    const known = Object.keys(readers);
    if (!isRecord(value) || (isFilled && Object.keys(record).length === 0)) {
      issues.push({
        path,
        message: `expected an object with ${isFilled ? "at least one of " : ""}${known.join(", ")}`,
      });
    }
    for (const key of Object.keys(record)) {
      if (!known.includes(key)) issues.push({ path: at(key), message: `unknown; expected ${known.join(", ")}` });
    }
    const fields: Fields<R> = {};
    for (const key in readers) {
      const isGiven = record[key] !== undefined || required.includes(key);
      if (isGiven) Object.assign(fields, { [key]: readers[key]?.(record[key], at(key), issues) });
    }
    return fields;
  };
}

const texts = someOf(text);
const readCommand = object({ program: texts, args: someOf(texts), matches: pattern }, [], true);
const readFiles = object(
  { in: texts, notIn: texts, outsideProject: flag, access: someOf(oneOf(PATH_ACCESSES)) },
  [],
  true,
);
const readInput = object({ field: text, matches: pattern }, ["field", "matches"]);
const readDetector = object({ name: oneOf(DETECTORS), branches: texts, files: texts, allow: texts }, ["name"]);
const readConditions = object(
  {
    tool: texts,
    project: texts,
    command: readCommand,
    path: readFiles,
    input: (value, path, issues) => ({ field: "", matches: "", ...readInput(value, path, issues) }),
    prompt: pattern,
    // The name alone is sufficient if there is nothing to add to it.
    detect: (value, path, issues) => ({
      name: DETECTORS[0],
      ...readDetector(typeof value === "string" ? { name: value } : value, path, issues),
    }),
  } satisfies Readers,
  [],
  true,
);
const readExample: Reader<RuleExample> = (value, path, issues) => {
  if (typeof value === "string") return value;
  const { tool = "", input } = object({ tool: text, input: anything }, ["tool"])(value, path, issues);
  return { tool, input: isRecord(input) ? input : {} };
};
const readExamples = object({ match: listOf(readExample), pass: listOf(readExample) });
const readRuleFields = object(
  {
    id: matching(/^[a-z0-9][a-z0-9._-]{0,63}$/i, "at most 64 letters, digits, dots and dashes"),
    decision: oneOf(DECISIONS),
    reason: matching(/^[^]{1,500}$/, "a string of at most 500 characters"),
    description: anything,
    when: readConditions,
    examples: readExamples,
  },
  ["id", "decision", "when"],
);
const readRule: Reader<Rule> = (value, path, issues) => {
  const { id = "", decision = "warn", reason, when = {}, examples = {} } = readRuleFields(value, path, issues);
  const conditions: RuleConditions = when;
  if (when.prompt !== undefined && when.project !== undefined)
    issues.push({ path: `${path}.when.project`, message: "a rule about prompts applies to every project" });
  return {
    id,
    decision,
    reason: reason ?? `The rule ${id} forbids this.`,
    when: conditions,
    examples: { match: examples.match ?? [], pass: examples.pass ?? [] },
  };
};
const shippedId: Reader<string> = (value, path, issues) => {
  const names = SHIPPED_RULES.map(({ id }) => id);
  const shipped = names.find((name) => name === value);
  if (shipped !== undefined) return shipped;
  issues.push({ path, message: `expected a shipped rule: ${names.join(", ")}` });
  return "";
};
const packId: Reader<string> = (value, path, issues) => {
  const names = [SAFE_PACK, ...PACKS].map(({ id }) => id);
  const pack = names.find((name) => name === value);
  if (pack !== undefined) return pack;
  issues.push({ path, message: `expected a pack: ${names.join(", ")}` });
  return "";
};
/** What happens for rules of packs and shipped rules, by their ids. */
const readDecisions: Reader<Readonly<Record<string, Decision | "off">>> = (value, path, issues) => {
  if (!isRecord(value)) issues.push({ path, message: "expected an object with ids of rules" });
  const entries = Object.entries(isRecord(value) ? value : {});
  return Object.fromEntries(
    entries.map(([id, decision]) => {
      if (findEffectRule(id) === undefined && !SHIPPED_RULES.some((rule) => rule.id === id))
        issues.push({ path: `${path}.${id}`, message: "there is no such rule in a pack" });
      return [id, oneOf([...DECISIONS, "off"])(decision, `${path}.${id}`, issues)];
    }),
  );
};
const readDocument = object({
  $schema: anything,
  version: anything,
  description: anything,
  use: listOf(shippedId),
  packs: listOf(packId),
  decisions: readDecisions,
  rules: listOf(readRule, MAX_RULES),
});
