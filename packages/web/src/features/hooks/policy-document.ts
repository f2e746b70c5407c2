import type { ShippedRuleId } from "@workspace/core";
import { PACKS, SAFE_PACK } from "@workspace/hooks-cli/policy-draft";

/** The rules that ship with the hooks CLI, in words. */
export const SHIPPED_RULES: Readonly<
  Record<ShippedRuleId, { readonly decision: "Deny" | "Ask"; readonly what: string }>
> = {
  "force-push-main": { decision: "Deny", what: "Force-pushing to main or master, or deleting it on the remote" },
  "delete-outside-project": { decision: "Deny", what: "Deleting files outside the project, or the project itself" },
  "write-outside-project": { decision: "Ask", what: "Changing files outside the project" },
  "read-env-files": { decision: "Deny", what: "Reading .env files" },
  "read-key-files": { decision: "Deny", what: "Reading private keys and program credentials" },
  "pipe-to-shell": { decision: "Deny", what: "Running a program straight from the network: curl … | sh" },
  "unreadable-command": { decision: "Ask", what: "Commands whose effect cannot be determined before they run" },
};

export const SHIPPED_RULE_IDS = Object.keys(SHIPPED_RULES).filter(isShippedRuleId);

function isShippedRuleId(id: string): id is ShippedRuleId {
  return id in SHIPPED_RULES;
}

type Document = Readonly<Record<string, unknown>>;

/** A policy being edited: which shipped rules and packs it uses, and its own rules as text. */
export interface PolicyDraft {
  readonly used: readonly ShippedRuleId[];
  readonly packs: readonly string[];
  /** What happens for single rules, by their ids. */
  readonly decisions: Readonly<Record<string, string>>;
  readonly rulesText: string;
}

const PACK_IDS: readonly unknown[] = [SAFE_PACK, ...PACKS].map(({ id }) => id);
const RULE_IDS = new Set([...SHIPPED_RULE_IDS, ...PACKS.flatMap((pack) => pack.rules.map(({ id }) => id))]);

/** What is edited of a document, without packs and rules that there are no more. */
export function toDraft({ use, packs, decisions, rules }: Document): PolicyDraft {
  const used = Array.isArray(use) ? SHIPPED_RULE_IDS.filter((id) => use.includes(id)) : [];
  const chosen = Object.entries(typeof decisions === "object" && decisions !== null ? decisions : {});
  return {
    used,
    packs: Array.isArray(packs) ? packs.filter((pack) => PACK_IDS.includes(pack)) : [],
    decisions: Object.fromEntries(chosen.filter(([id, decision]) => RULE_IDS.has(id) && typeof decision === "string")),
    rulesText: JSON.stringify(rules ?? [], null, 2),
  };
}

/** Applies a draft to the document; everything else that a policy may contain stays. Only for a draft without problems. */
export function toDocument(
  before: Document,
  { used, packs, decisions, rulesText }: PolicyDraft,
): Record<string, unknown> {
  const chosen = { ...(packs.length > 0 && { packs }), ...(Object.keys(decisions).length > 0 && { decisions }) };
  const { $schema, description } = before;
  return {
    ...($schema !== undefined && { $schema }),
    ...(description !== undefined && { description }),
    ...chosen,
    version: 1,
    use: [...used],
    rules: JSON.parse(rulesText.trim() === "" ? "[]" : rulesText),
  };
}

const DECISIONS = ["deny", "ask", "undo", "warn"];
const ID = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

/** Why the draft cannot be saved, in a sentence; undefined if it can. */
export function problemOf({ rulesText }: Pick<PolicyDraft, "rulesText">): string | undefined {
  if (rulesText.trim() === "") return undefined;
  let rules: unknown;
  try {
    rules = JSON.parse(rulesText);
  } catch (error) {
    return `This is not JSON: ${placeOf(error, rulesText)}.`;
  }
  if (!Array.isArray(rules)) return "Expected a list of rules: [ … ].";
  const ids = new Set<unknown>();
  for (const [index, rule] of rules.entries()) {
    const problem = problemOfRule(rule);
    if (problem !== undefined) return `Rule ${index + 1}: ${problem}.`;
    if (ids.has(rule.id)) return `Two rules are called ${rule.id}.`;
    ids.add(rule.id);
  }
  return undefined;
}

/** What the hooks would reject in own rules, in a sentence; undefined for nothing. */
export function describeIssues(
  issues: readonly { readonly path: string; readonly message: string }[],
): string | undefined {
  const [first] = issues.filter(({ path }) => path.startsWith("rules"));
  if (first === undefined) return undefined;
  const [, index, ...field] = first.path.split(".");
  return index === undefined
    ? `The rules: ${first.message}.`
    : `Rule ${Number(index) + 1}: ${field.join(".")}: ${first.message}.`;
}

function problemOfRule(rule: unknown): string | undefined {
  if (typeof rule !== "object" || rule === null) return "expected an object";
  const { id, decision, when }: Record<string, unknown> = { ...rule };
  if (typeof id !== "string" || !ID.test(id)) return "“id” must be at most 64 letters, digits, dots and dashes";
  if (typeof decision !== "string" || !DECISIONS.includes(decision))
    return "“decision” must be deny, ask, undo or warn";
  const isFilled = typeof when === "object" && when !== null && Object.keys(when).length > 0;
  return isFilled ? undefined : "“when” must have at least one condition, or the rule would match everything";
}

/** Browsers report a position, or a line and column, or neither. */
function placeOf(error: unknown, text: string): string {
  const message = error instanceof Error ? error.message : "";
  const position = /position (\d+)/.exec(message)?.[1];
  if (position === undefined) return message === "" ? "it cannot be read" : message;
  const lines = text.slice(0, Number(position)).split("\n");
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}
