import { writeOptimistically } from "../../api/optimistic-write.ts";
import { toRequestError } from "../../api/request-error.ts";
import { trpcClient } from "../../api/trpc.ts";
import { showToast } from "../../components/toast.ts";
import { projectCollection } from "../projects/project-collection.ts";
import { documentCollection } from "./document-collection.ts";
import { countDocuments, type DetailsPatch, type Document, type Sharing } from "./document.ts";
import { keepOpened } from "./open-sessions.ts";

/** Changes a document's title, tags, project or other fields at once, and tells and takes back what the server refuses. */
export async function updateDetails(document: Document, patch: DetailsPatch): Promise<void> {
  await tellingFailure(`Could not change “${document.title}”`, () =>
    writeOptimistically({
      collection: documentCollection,
      rowId: document.id,
      apply: (row) => row && applyDetails(row, patch),
      send: async (id) => {
        const { data } = await trpcClient.documents.update.mutate({ id, ...patch });
        keepOpened(data);
        return data.document;
      },
      confirm: (row) => row,
    }),
  );
}

/** Shares a document, or stops sharing it, at once. */
export async function setSharing(document: Document, sharing: Sharing): Promise<void> {
  await tellingFailure(`Could not change the sharing of “${document.title}”`, () =>
    writeOptimistically({
      collection: documentCollection,
      rowId: document.id,
      apply: (row) => row && { ...row, ...sharing },
      send: (id) => trpcClient.documents.setSharing.mutate({ id, ...sharing }),
      confirm: ({ data }) => data,
    }),
  );
}

/** Brings deleted documents back, each to where it was. Tells of those that cannot come back. */
export async function restoreDocuments(ids: readonly string[]): Promise<void> {
  const results = await Promise.allSettled(
    ids.map((rowId) =>
      writeOptimistically({
        collection: documentCollection,
        rowId,
        apply: (row) => row && { ...row, deletedAt: null },
        send: (id) => trpcClient.documents.restore.mutate({ id }),
        confirm: (_, shown) => shown,
      }),
    ),
  );
  const failed = results.filter((result) => result.status === "rejected");
  const [first] = failed;
  if (first === undefined) return;
  const detail = toRequestError(first.reason).message;
  showToast({ message: `Could not restore ${countDocuments(failed.length)}`, detail, tone: "danger" });
}

async function tellingFailure(message: string, write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    showToast({ message, detail: toRequestError(error).message, tone: "danger" });
  }
}

function applyDetails(row: Document, { title, tags, projectId }: DetailsPatch): Document {
  return {
    ...row,
    ...(title !== undefined && { title }),
    ...(tags !== undefined && { tags }),
    ...(projectId !== undefined && {
      projectId,
      project: projectId === null ? null : (projectCollection.get(projectId) ?? null),
    }),
  };
}
