import type { Change, EventBus } from "../platform/events.ts";

/** More changes of one kind at once are told as one, about documents in general: a list is read again either way. */
const MAX_SINGLE_EVENTS = 100;

/** The `resourceId` of a change that concerns many documents. */
export const MANY_DOCUMENTS = "*";

/** Tells of documents that have changed; after the commit, never before. */
export function publishDocuments(
  events: EventBus,
  action: Change["action"],
  documents: readonly { readonly id: string; readonly title: string }[],
): void {
  if (documents.length > MAX_SINGLE_EVENTS) {
    const resourceName = `${documents.length} documents`;
    events.publish({ resource: "document", action, resourceId: MANY_DOCUMENTS, resourceName });
    return;
  }
  for (const { id, title } of documents) {
    events.publish({ resource: "document", action, resourceId: id, resourceName: title });
  }
}
