import * as fs from "node:fs";
import { join } from "node:path";
import { describeError, ensurePrivateDir, tryReadRecord, statIfExists, writeFileAtomic } from "../files/atomic-file.ts";
import type { Home } from "../files/home.ts";
import {
  type JsonRecord,
  type JsonValue,
  isRecord,
  numberAt,
  parseJson,
  parseRecord,
  recordAt,
} from "../json/json-value.ts";
import { JsonSyntaxError, parseJsonTree } from "../settings/json-tree.ts";
import { VERSION } from "../version.ts";
import { EMPTY_POLICY, type Policy, type Rule } from "./policy.ts";
import { checkPolicy } from "./policy-check.ts";

/** The rules in force, and the problems with the files that they come from. */
export interface LoadedPolicy {
  readonly policy: Policy;
  readonly problems: readonly string[];
}

/** A source of rules, with a copy of its last valid version. */
interface PolicySource {
  readonly title: string;
  readonly file: string;
  readonly accepted: string;
  /** The policy inside the file. */
  readonly read: (text: string) => JsonValue;
}

interface AcceptedPolicy {
  readonly checkedBy: string;
  /** The stamp of the file that was checked: while it is unchanged, the file need not be checked again. */
  readonly stamp: string;
  readonly rules: readonly Rule[];
  readonly effects: NonNullable<Policy["effects"]>;
}

/** Loads the user's rules and the server's. Never throws: a broken file leaves its last good version in force. */
export function loadPolicy(home: Home): LoadedPolicy {
  const rules: Rule[] = [];
  const problems: string[] = [];
  let effects: Policy["effects"];
  for (const source of sourcesOf(home)) {
    const loaded = loadSource(home, source);
    problems.push(...loaded.problems);
    // The user's own rules come first; a server rule with the same id is ignored.
    rules.push(...loaded.policy.rules.filter((rule) => !rules.some((known) => known.id === rule.id)));
    if (Object.keys(loaded.policy.effects ?? {}).length > 0) effects = { ...loaded.policy.effects, ...effects };
  }
  return { policy: { rules, ...(effects && { effects }) }, problems };
}

/** Stores the server's policy, unless this version is already stored. The passes that sessions have do not hold for it. */
export function storeServerPolicy(home: Home, document: JsonRecord, version: number): void {
  const { file } = serverSource(home);
  const known = tryReadRecord(file);
  if (known !== undefined && numberAt(known, "version") === version) return;
  ensurePrivateDir(home.policies);
  writeFileAtomic(file, JSON.stringify({ version, document }));
  fs.rmSync(home.passes, { recursive: true, force: true });
}

/** How long ago the server's policy was fetched; infinite if never. */
export function serverPolicyAgeMs(home: Home, nowMs: number): number {
  const status = statIfExists(fetchMark(home));
  return status === undefined ? Infinity : Math.abs(nowMs - status.mtimeMs);
}

/** Records that the server has been asked, so that not every hook asks again. */
export function markServerPolicyFetched(home: Home): void {
  ensurePrivateDir(home.policies);
  fs.writeFileSync(fetchMark(home), "", { mode: 0o600 });
}

function fetchMark(home: Home): string {
  return join(home.policies, "fetched");
}

function sourcesOf(home: Home): readonly PolicySource[] {
  const local = {
    title: "policy.json",
    file: home.policy,
    accepted: join(home.policies, "accepted-local.json"),
    read: parseOrExplain,
  };
  return [local, serverSource(home)];
}

function serverSource(home: Home): PolicySource {
  return {
    title: "the server's policy",
    file: join(home.policies, "server.json"),
    accepted: join(home.policies, "accepted-server.json"),
    read: (text) => {
      const envelope = parseRecord(text);
      const document = envelope && recordAt(envelope, "document");
      const isSet = document !== undefined && Object.keys(document).length > 0;
      return isSet ? document : { version: 1 };
    },
  };
}

function loadSource(home: Home, source: PolicySource): LoadedPolicy {
  try {
    const status = statIfExists(source.file);
    if (status === undefined) return { policy: EMPTY_POLICY, problems: [] };
    const stamp = `${status.mtimeMs}-${status.size}-${status.ino}`;
    const accepted = readAccepted(source);
    if (accepted?.stamp === stamp && accepted.checkedBy === VERSION) return { policy: accepted, problems: [] };
    return checkSource(home, source, stamp, accepted);
  } catch (error) {
    const accepted = readAccepted(source);
    const problem = `${source.title} could not be read (${describeError(error)}); ${fallback(accepted)}`;
    return { policy: accepted ?? EMPTY_POLICY, problems: [problem] };
  }
}

function checkSource(
  home: Home,
  source: PolicySource,
  stamp: string,
  accepted: AcceptedPolicy | undefined,
): LoadedPolicy {
  const { policy, issues } = checkPolicy(source.read(fs.readFileSync(source.file, "utf8")));
  if (policy === undefined) {
    const [first] = issues;
    const what = first === undefined ? "" : `${first.path === "" ? "" : `${first.path}: `}${first.message}`;
    const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : "";
    return {
      policy: accepted ?? EMPTY_POLICY,
      problems: [`${source.title} is broken: ${what}${more}; ${fallback(accepted)}`],
    };
  }
  storeAccepted(home, source, { checkedBy: VERSION, stamp, rules: policy.rules, effects: policy.effects ?? {} });
  return { policy, problems: [] };
}

function fallback(accepted: AcceptedPolicy | undefined): string {
  return accepted === undefined ? "none of its rules apply" : "its last good version stays in force";
}

function storeAccepted(home: Home, source: PolicySource, accepted: AcceptedPolicy): void {
  try {
    ensurePrivateDir(home.policies);
    writeFileAtomic(source.accepted, JSON.stringify(accepted));
  } catch {
    // Without the copy the next hook checks the file again.
  }
}

function readAccepted(source: PolicySource): AcceptedPolicy | undefined {
  const value: unknown = tryReadRecord(source.accepted);
  return isAcceptedPolicy(value) ? value : undefined;
}

/** Only this program writes the file, so it suffices to check that it is complete and one of its files. */
function isAcceptedPolicy(value: unknown): value is AcceptedPolicy {
  return (
    isRecord(value) &&
    typeof value["stamp"] === "string" &&
    typeof value["checkedBy"] === "string" &&
    Array.isArray(value["rules"]) &&
    isRecord(value["effects"])
  );
}

/** Like JSON.parse, with line and column in the message. */
function parseOrExplain(text: string): JsonValue {
  const value = parseJson(text);
  if (value !== undefined) return value;
  if (parseJsonTree(text, "json") === undefined) throw new JsonSyntaxError("the file is empty", text, 0);
  throw new JsonSyntaxError("the file is not JSON", text, 0);
}
