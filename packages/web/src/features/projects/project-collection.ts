import { queryOptions } from "@tanstack/react-query";
import { collectionQuery, useRows, type RowsState } from "../../api/collection-query.ts";
import { useCollection, useRow } from "../../api/use-collection.ts";
import type { Client } from "../../client/client.ts";
import { collectionPart } from "../../client/collection-part.ts";
import { compareNames } from "../../lib/compare-names.ts";
import { progressPart } from "../../realtime/read-progress.ts";
import { useClient } from "../../client/use-client.ts";
import type { Project } from "./project.ts";

/** All projects that the page has loaded, including deleted ones once they have been seen. */
export const projectCollection = collectionPart<Project>(
  (a, b) => a.modifiedAt === b.modifiedAt && a.deletedAt === b.deletedAt,
);

const progress = progressPart<{ readonly count: number }>();
const MAX_CHANGED = 20;

/** Loads the projects into {@link projectCollection}. */
export function projectsQuery(client: Client) {
  return collectionQuery(projectCollection(client), {
    queryKey: ["projects", "active"],
    read: async function* (signal) {
      yield (await client.api.projects.list.query({}, { signal })).data;
    },
    belongs: (project) => project.deletedAt === null,
    keptUp: {
      client,
      resource: "project",
      progress: progress(client),
      shown: [],
      maxChanged: MAX_CHANGED,
      readSome: async (ids) => {
        const ticket = projectCollection(client).startRead();
        const read = await Promise.all(ids.map((id) => client.api.projects.get.query({ id })));
        projectCollection(client).merge(
          read.map(({ data }) => data),
          ticket,
        );
      },
    },
  });
}

/** Loads the deleted projects into {@link projectCollection}. */
export function deletedProjectsQuery(client: Client) {
  return collectionQuery(projectCollection(client), {
    queryKey: ["projects", "deleted"],
    read: async function* (signal) {
      yield (await client.api.projects.list.query({ includeDeleted: true }, { signal })).data;
    },
    belongs: (project) => project.deletedAt !== null,
  });
}

/** One project, which may be deleted. */
export function projectQuery(client: Client, id: string) {
  return queryOptions({
    queryKey: ["projects", "one", id],
    queryFn: async ({ signal }) => {
      const ticket = projectCollection(client).startRead();
      const { data } = await client.api.projects.get.query({ id }, { signal });
      projectCollection(client).merge([data], ticket);
      return data.id;
    },
  });
}

/** All projects that are not deleted, sorted by name. */
export function useProjects(): RowsState<Project> {
  const client = useClient();
  return useRows(projectsQuery(client), projectCollection(client), activeByName);
}

function activeByName(projects: Iterable<Project>): Project[] {
  return [...projects].filter((project) => project.deletedAt === null).toSorted((a, b) => compareNames(a.name, b.name));
}

/** A loaded project, deleted or not; undefined if it is not loaded. */
export function useProject(id: string): Project | undefined {
  const client = useClient();
  return useRow(projectCollection(client), id);
}

/** The current state of a project that was embedded in another resource when that was loaded. */
export function useCurrentProject<Ref extends { readonly id: string; readonly name: string; readonly color: string }>(
  ref: Ref | null,
): Ref | Project | null {
  const client = useClient();
  const rows = useCollection(projectCollection(client));
  return ref === null ? null : (rows.get(ref.id) ?? ref);
}
