import * as fs from "node:fs";
import { PACKS, SAFE_PACK } from "../effects/effect-rules.ts";
import { describePack } from "../effects/pack-descriptions.ts";
import type { Environment } from "../environment.ts";
import { tryRead, writeFileAtomic } from "../files/atomic-file.ts";
import type { Home } from "../files/home.ts";
import { parseRecord } from "../json/json-value.ts";
import { checkPolicy } from "../policy/policy-check.ts";
import { loadPolicy } from "../policy/policy-store.ts";
import { UsageError } from "../terminal/arguments.ts";
import { ask, isInteractive, print } from "../terminal/terminal.ts";
import { describeReplay, replay } from "./replay.ts";

const DAY_MS = 86_400_000;
const DAYS = 30;
/** Somebody waits for it. */
const REPLAY_MS = 5_000;

/** The packs that an option names: `safe`, several separated by commas, or `none`. Throws a UsageError for an unknown one. */
export function readPacks(option: string | undefined): readonly string[] | undefined {
  if (option === undefined) return undefined;
  const names = option === "none" ? [] : option.split(",").map((name) => name.trim());
  const known = [SAFE_PACK, ...PACKS].map(({ id }) => id);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`There is no pack ${unknown}. --packs takes none, or ${known.join(", ")}.`);
  return names;
}

/**
 * Switches packs on in the user's own policy. Unless they were chosen beforehand, offers the safe pack if no rule applies yet, and
 * shows what it would have done in the last 30 days of this machine's own sessions.
 */
export async function offerPacks(
  home: Home,
  environment: Environment,
  chosen: readonly string[] | undefined,
): Promise<void> {
  if (chosen !== undefined) {
    if (chosen.length > 0) usePacks(home, chosen);
    return;
  }
  const { policy } = loadPolicy(home);
  if (policy.rules.length > 0 || policy.effects !== undefined || fs.existsSync(home.policy)) return;
  print(`No rule applies yet. The safe pack: ${describePack(SAFE_PACK.id).protects}`);
  const safe = checkPolicy({ version: 1, packs: [SAFE_PACK.id] }).policy ?? { rules: [] };
  const found = replay(safe, environment, {
    sinceMs: Date.now() - DAYS * DAY_MS,
    budgetMs: REPLAY_MS,
  });
  if (found.calls > 0) for (const line of [`In the last ${DAYS} days:`, ...describeReplay(found)]) print(line);
  if (!isInteractive()) {
    print("Switch it on with install --packs safe, or with --packs none decide against it.");
    return;
  }
  const answer = await ask("Switch it on? (y/n)");
  if (/^y(?:es)?$/i.test(answer)) usePacks(home, [SAFE_PACK.id]);
}

/** Adds packs to the user's own policy, and leaves everything else in it as it is. */
function usePacks(home: Home, packs: readonly string[]): void {
  const text = tryRead(home.policy);
  const before = text === undefined ? { version: 1 } : parseRecord(text);
  if (before === undefined) {
    print(`${home.policy} is not JSON, so the packs have not been switched on.`);
    return;
  }
  const used = Array.isArray(before["packs"]) ? before["packs"] : [];
  const document = { ...before, packs: [...new Set([...used, ...packs])] };
  writeFileAtomic(home.policy, `${JSON.stringify(document, undefined, 2)}\n`);
  print(`Switched on in ${home.policy}: ${packs.join(", ")}. \`policy packs\` lists their rules.`);
}
