import type { Decision, Policy, Rule } from "../policy/policy.ts";
import { EFFECT_EXAMPLES } from "./effect-examples.ts";

/** A rule of a pack as it is in force, with its examples. */
export type EffectInForce = Pick<Rule, "id" | "decision" | "examples">;

/** The rules of packs that a policy has switched on. */
export function rulesOfPacks({ effects = {} }: Policy): readonly EffectInForce[] {
  return Object.entries(effects).map(([id, decision]: readonly [string, Decision]) => ({
    id,
    decision,
    examples: EFFECT_EXAMPLES[id] ?? { match: [], pass: [] },
  }));
}
