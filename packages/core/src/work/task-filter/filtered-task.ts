export const TASK_STATUSES = ["todo", "in_progress", "done", "blocked"] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** Who or what a task can be handed to. */
export const PARTY_KINDS = ["person", "agent", "key"] as const;
export type PartyKind = (typeof PARTY_KINDS)[number];

/** What filters and groups need to know of a task. */
export interface FilteredTask {
  readonly title: string;
  readonly description: string | null;
  readonly status: TaskStatus;
  readonly priority: number;
  readonly projectId: string | null;
  readonly parentId: string | null;
  readonly dueDate: string | null;
  readonly tags: readonly string[];
  readonly creator: { readonly id: string };
  readonly assignee: { readonly id: string } | null;
  readonly snoozedUntil: string | null;
  readonly claim: { readonly holder: string; readonly until: string } | null;
  readonly createdAt: string;
  readonly modifiedAt: string;
  readonly completedAt: string | null;
}
