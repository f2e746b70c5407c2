import type { ReactNode } from "react";

/**
 * The kinds of what can be restored, for how many days it can (null if it is kept), and whether that can be done while the server
 * is away.
 */
export const DELETED_KINDS = {
  task: { label: "Task", plural: "Tasks", keptDays: null, isRestoredAway: true },
  document: { label: "File", plural: "Files", keptDays: 30, isRestoredAway: true },
  memory: { label: "Memory", plural: "Memories", keptDays: 30, isRestoredAway: false },
  project: { label: "Project", plural: "Projects", keptDays: null, isRestoredAway: true },
  view: { label: "View", plural: "Views", keptDays: 30, isRestoredAway: false },
} as const;

export type DeletedKind = keyof typeof DELETED_KINDS;

/** Something that was deleted and can be restored. */
export interface DeletedItem {
  /** Unique among all kinds. */
  readonly id: string;
  readonly kind: DeletedKind;
  readonly name: string;
  /** The text to show, if the name is only the beginning of it. */
  readonly text?: string;
  readonly icon: ReactNode;
  /** Where it was. */
  readonly detail?: ReactNode;
  readonly deletedAt: string;
  restore(): void;
  /** Shows it; undefined if it has no view of its own. */
  open?(): void;
}

/** In the order in which they are offered. */
export const KIND_ORDER: readonly DeletedKind[] = ["task", "document", "memory", "project", "view"];

export function isDeletedKind(value: unknown): value is DeletedKind {
  return typeof value === "string" && Object.hasOwn(DELETED_KINDS, value);
}
