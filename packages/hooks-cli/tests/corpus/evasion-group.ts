/** Commands that do what a shipped rule forbids, in ways that try to evade it. */
export interface EvasionGroup {
  readonly rule: string;
  readonly commands: readonly string[];
}
