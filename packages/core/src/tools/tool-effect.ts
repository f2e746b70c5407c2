import * as z from "zod";

/**
 * What a call of a tool does to the workspace, from harmless to grave. `destroys`: deletes something, or takes the place of
 * content. `reaches_outside`: sends something to another service that can change things there, or that holds a secret.
 */
export const TOOL_EFFECTS = ["reads", "writes", "destroys", "reaches_outside"] as const;
export const toolEffect = z.enum(TOOL_EFFECTS);
export type ToolEffect = z.infer<typeof toolEffect>;

/** What one call would do. */
export interface CallInspection {
  readonly effect: ToolEffect;
  /** What it would be done to, as people name it: a title, a path, an address; null where that is not known. */
  readonly subject: string | null;
}

/** Whether a call needs somebody's permission once text was read that the user did not write. */
export function isGrave(effect: ToolEffect): boolean {
  return effect === "destroys" || effect === "reaches_outside";
}
