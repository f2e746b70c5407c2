import type { Client } from "../../client/client.ts";
import { projectCollection } from "../projects/project-collection.ts";
import type { DetailsPatch, Document } from "./document.ts";

/** A document with other properties. */
export function withDetails(client: Client, row: Document, { title, tags, projectId }: DetailsPatch): Document {
  return {
    ...row,
    ...(title !== undefined && { title }),
    ...(tags !== undefined && { tags }),
    ...(projectId !== undefined && {
      projectId,
      project: projectId === null ? null : (projectCollection(client).get(projectId) ?? null),
    }),
  };
}

/** Both changes of a document's properties, of which the second was made later. */
export function joinedDetails(one: DetailsPatch, later: DetailsPatch): DetailsPatch {
  const fields = { ...one.fields, ...later.fields };
  return { ...one, ...later, ...(Object.keys(fields).length > 0 && { fields }) };
}
