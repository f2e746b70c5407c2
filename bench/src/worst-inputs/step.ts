export const CORE = "../../../packages/core/src";

export interface StepLimits {
  readonly name: string;
  /** The longest text that can reach the step. */
  readonly maxCharacters: number;
  /** Prefixes that lead into the step's syntax, for example the beginning of a block. */
  readonly openings?: readonly string[];
}

export interface Step extends StepLimits {
  /** Loads the code of the step, in the thread that runs it. */
  readonly load: () => Promise<(text: string) => unknown>;
}
