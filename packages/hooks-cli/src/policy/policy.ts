/**
 * What happens to a call that a rule matches. `warn` allows it and informs the user; `undo` allows it if the working tree has been
 * recorded, so that it can be taken back, and otherwise asks.
 */
export type Decision = "deny" | "ask" | "undo" | "warn";

export const DECISIONS = ["warn", "undo", "ask", "deny"] as const satisfies readonly Decision[];

export type PathAccess = "read" | "write" | "delete";

export const PATH_ACCESSES = ["read", "write", "delete"] as const satisfies readonly PathAccess[];

/** A condition on the programs that a shell command starts; all parts must match for one program. */
export interface CommandCondition {
  /** Names or globs; the program must be one of them. */
  readonly program?: readonly string[];
  /** Each must be among the arguments; a nested list means "one of these". Globs are allowed. */
  readonly args?: readonly (readonly string[])[];
  /** A pattern that must occur in the program and its arguments, joined by single spaces. */
  readonly matches?: string;
}

/** A condition on the files that a call touches; all parts must match for one file. */
export interface PathCondition {
  readonly in?: readonly string[];
  readonly notIn?: readonly string[];
  readonly outsideProject?: boolean;
  readonly access?: readonly PathAccess[];
}

/** A condition on one field of the tool's input, given by its path: `url`, `edits.0.new_string`. */
export interface InputCondition {
  readonly field: string;
  readonly matches: string;
}

export const DETECTORS = [
  "force-push",
  "delete-outside-project",
  "write-outside-project",
  "pipe-to-shell",
  "read-secret-file",
  "unreadable-command",
] as const;
export type DetectorName = (typeof DETECTORS)[number];

/** A condition implemented in code, because a pattern cannot express it. */
export interface DetectorCondition {
  readonly name: DetectorName;
  /** `force-push`: the protected branches. */
  readonly branches?: readonly string[];
  /** `read-secret-file`: which files. The other two about files: locations that are allowed nevertheless. */
  readonly files?: readonly string[];
  readonly allow?: readonly string[];
}

/** All given conditions must match. */
export interface RuleConditions {
  /** Names or globs of tools; `Bash`, `mcp__*`. */
  readonly tool?: readonly string[];
  /** Globs for the project's folder; `~/` is the user's home. */
  readonly project?: readonly string[];
  readonly command?: CommandCondition;
  readonly path?: PathCondition;
  readonly input?: InputCondition;
  /** A pattern that must occur in the user's prompt; makes it a rule about prompts. */
  readonly prompt?: string;
  readonly detect?: DetectorCondition;
}

export interface RuleExamples {
  readonly match: readonly RuleExample[];
  readonly pass: readonly RuleExample[];
}

/** A shell command, or a tool with its input. */
export type RuleExample = string | { readonly tool: string; readonly input: Readonly<Record<string, unknown>> };

export interface Rule {
  readonly id: string;
  readonly decision: Decision;
  readonly reason: string;
  readonly when: RuleConditions;
  readonly examples: RuleExamples;
}

/** A policy that has been checked. The shipped rules that it uses are included in its rules. */
export interface Policy {
  readonly rules: readonly Rule[];
  /** What happens for the rules of packs, by their ids. A rule that is missing is off. */
  readonly effects?: Readonly<Record<string, Decision>>;
}

export const EMPTY_POLICY: Policy = { rules: [] };
