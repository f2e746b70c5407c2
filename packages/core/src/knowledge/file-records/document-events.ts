import type { Change, EventBus } from "../../platform/events.ts";

/** More changes than this are published as a single one about documents in general: clients reload lists either way. */
const MAX_SINGLE_EVENTS = 100;

/** The `resourceId` of a change to many documents. */
export const MANY_DOCUMENTS = "*";

/** Publishes changes of documents. To be called after the commit, never before. */
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
