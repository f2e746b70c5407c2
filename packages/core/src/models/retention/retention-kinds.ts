/** Days that statistics cover at most, and one more: what they are made from is kept for at least so long. */
const STATISTICS_DAYS = 31;
/** A month to notice that something was deleted by mistake. */
const SECOND_THOUGHTS_DAYS = 30;
const YEAR_DAYS = 365;

interface RetentionRule {
  /** How many days it is kept unless somebody has chosen otherwise; null for ever. */
  readonly default: number | null;
  /** The fewest days that can be chosen. */
  readonly least: number;
  /** The environment variable that has precedence over what was chosen. */
  readonly variable: string;
}

/**
 * What is removed when it is old. What a person made is kept for ever unless a person decides otherwise; what machines have
 * recorded is removed after long.
 */
export const RETENTION_RULES = {
  hookEvents: { default: YEAR_DAYS, least: STATISTICS_DAYS, variable: "KEEP_HOOK_EVENTS_DAYS" },
  transcripts: { default: 90, least: 1, variable: "TRANSCRIPT_DAYS" },
  assistantUsage: { default: 2 * YEAR_DAYS, least: STATISTICS_DAYS, variable: "KEEP_ASSISTANT_USAGE_DAYS" },
  usage: { default: 2 * YEAR_DAYS, least: STATISTICS_DAYS, variable: "KEEP_USAGE_DAYS" },
  runs: { default: YEAR_DAYS, least: STATISTICS_DAYS, variable: "KEEP_RUNS_DAYS" },
  signIns: { default: 90, least: 1, variable: "KEEP_SIGN_INS_DAYS" },
  secretAccesses: { default: YEAR_DAYS, least: 1, variable: "KEEP_SECRET_ACCESSES_DAYS" },
  changes: { default: 30, least: 1, variable: "KEEP_CHANGES_DAYS" },
  conversations: { default: null, least: SECOND_THOUGHTS_DAYS, variable: "KEEP_CONVERSATIONS_DAYS" },
  deletedTasks: { default: null, least: SECOND_THOUGHTS_DAYS, variable: "KEEP_DELETED_TASKS_DAYS" },
  deletedProjects: { default: null, least: SECOND_THOUGHTS_DAYS, variable: "KEEP_DELETED_PROJECTS_DAYS" },
  deletedViews: { default: 30, least: 1, variable: "KEEP_DELETED_VIEWS_DAYS" },
  versions: { default: null, least: 1, variable: "KEEP_VERSIONS_DAYS" },
  trash: { default: 30, least: 1, variable: "KEEP_TRASH_DAYS" },
} as const satisfies Readonly<Record<string, RetentionRule>>;

export type RetentionKind = keyof typeof RETENTION_RULES;

/** A hundred years. */
export const MAX_RETENTION_DAYS = 36_500;

/** For how many days each kind is kept; null for ever. */
export type RetentionDays = Readonly<Record<RetentionKind, number | null>>;

/** What the environment says of that. */
export type EnvironmentRetention = Readonly<Partial<Record<RetentionKind, number | null>>>;

/** A value for each kind, in the order in which they are shown and removed. */
export function forEachKind<Value>(valueOf: (kind: RetentionKind) => Value): Record<RetentionKind, Value> {
  return {
    hookEvents: valueOf("hookEvents"),
    transcripts: valueOf("transcripts"),
    assistantUsage: valueOf("assistantUsage"),
    usage: valueOf("usage"),
    runs: valueOf("runs"),
    signIns: valueOf("signIns"),
    secretAccesses: valueOf("secretAccesses"),
    changes: valueOf("changes"),
    conversations: valueOf("conversations"),
    deletedTasks: valueOf("deletedTasks"),
    deletedProjects: valueOf("deletedProjects"),
    deletedViews: valueOf("deletedViews"),
    versions: valueOf("versions"),
    trash: valueOf("trash"),
  };
}

export const RETENTION_KINDS: readonly RetentionKind[] = Object.values(forEachKind((kind) => kind));
