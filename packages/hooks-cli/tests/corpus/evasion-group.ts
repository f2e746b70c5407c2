/** Commands that do what a shipped rule forbids, in ways that try to slip past it. */
export interface EvasionGroup {
  readonly rule: string;
  readonly commands: readonly string[];
}
