/** An item of a task's checklist. */
export interface ChecklistItem {
  readonly id: string;
  readonly text: string;
  readonly isDone: boolean;
}

/** An item as recorded when it was changed, with the one that it came after; null for the first one. */
export interface RecordedItem {
  readonly id: string;
  readonly title: string;
  readonly isDone: boolean;
  readonly afterId: string | null;
}

export const MAX_CHECKLIST = 200;
export const MAX_ITEM_LENGTH = 500;
