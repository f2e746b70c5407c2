import * as z from "zod";

/**
 * What a call does to the workspace, in order of risk. `destroys`: deletes something or replaces content.
 * `reaches_outside`: sends a request to another service that can change data there, or that contains a secret.
 */
export const EFFECTS = ["reads", "writes", "destroys", "reaches_outside"] as const;
export const effectSchema = z.enum(EFFECTS);
export type Effect = z.infer<typeof effectSchema>;

/** What one call would do. */
export interface CallInspection {
  readonly effect: Effect;
  /** The target in terms that people recognize: a title, a path, a URL; null if unknown. */
  readonly subject: string | null;
}

/**
 * The effect of an update that sets these texts, of which no earlier version is kept; undefined for the fields that it
 * leaves unchanged.
 */
export function effectOfReplacing(...texts: readonly (string | null | undefined)[]): Effect {
  return texts.some((text) => text !== undefined) ? "destroys" : "writes";
}

/** Whether a call with this effect needs a person's approval once the model has read text that the user may not have written. */
export function isHighRisk(effect: Effect): boolean {
  return effect === "destroys" || effect === "reaches_outside";
}
