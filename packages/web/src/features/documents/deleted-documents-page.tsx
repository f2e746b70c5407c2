import { newestDeletionFirst, useRows } from "../../api/collection-query.ts";
import { useClient } from "../../client/use-client.ts";
import { RestorePage } from "../../lists/restore-page.tsx";
import { restoreDocuments } from "./document-actions.ts";
import { deletedDocumentsQuery, documentCollection } from "./document-collection.ts";
import { useShowDocument } from "./document-url.ts";
import { FileIcon } from "./file-icon.tsx";

/** Deleted files, which can be restored. */
export default function DeletedDocumentsPage() {
  const client = useClient();
  return (
    <RestorePage
      title="Deleted files"
      state={useRows(deletedDocumentsQuery(client), documentCollection(client), newestDeletionFirst)}
      describe={(document) => ({
        name: document.title,
        icon: <FileIcon file={document} />,
        detail: <span className="font-mono">/{document.path}</span>,
        deletedAt: document.deletedAt,
      })}
      restore={({ id }) => void restoreDocuments(client, [id])}
      panel={{ openId: undefined, open: useShowDocument() }}
      emptyTitle="No deleted files"
      emptyText="Files that you delete can be restored from here for at least 30 days."
    />
  );
}
