import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Collection } from "../../api/collection.ts";
import { trpcClient } from "../../api/trpc.ts";
import { useCollection } from "../../api/use-collection.ts";
import type { Project } from "./project.ts";

/** Every project that the page knows, deleted ones included once they have been seen. */
export const projectCollection = new Collection<Project>(
  (a, b) => a.modifiedAt === b.modifiedAt && a.deletedAt === b.deletedAt,
);

/** Reads the projects into {@link projectCollection}. */
export const projectsQuery = queryOptions({
  queryKey: ["projects", "active"],
  queryFn: async ({ signal }) => {
    const ticket = projectCollection.startRead();
    const { data } = await trpcClient.projects.list.query({}, { signal });
    const seen = new Set(data.map((project) => project.id));
    projectCollection.merge(data, ticket);
    projectCollection.prune((project) => project.deletedAt === null && !seen.has(project.id), ticket);
    return { count: data.length };
  },
});

/** One project, which may be deleted. */
export function projectQuery(id: string) {
  return queryOptions({
    queryKey: ["projects", "one", id],
    queryFn: async ({ signal }) => {
      const ticket = projectCollection.startRead();
      const { data } = await trpcClient.projects.get.query({ id }, { signal });
      projectCollection.merge([data], ticket);
      return data.id;
    },
  });
}

export interface ProjectsState {
  /** Those that are not deleted, by name. */
  readonly projects: readonly Project[];
  readonly isLoading: boolean;
  /** Why nothing could be read; null where there is something to show. */
  readonly error: Error | null;
  retry(): void;
}

const byName = new Intl.Collator("en", { sensitivity: "base", numeric: true });

export function useProjects(): ProjectsState {
  const { isPending, error, refetch } = useQuery(projectsQuery);
  const rows = useCollection(projectCollection);
  const projects = useMemo(
    () => [...rows.values()].filter((row) => row.deletedAt === null).toSorted((a, b) => byName.compare(a.name, b.name)),
    [rows],
  );
  const isEmpty = rows.size === 0;
  return { projects, isLoading: isPending && isEmpty, error: isEmpty ? error : null, retry: () => void refetch() };
}

/** A project that is known, deleted or not. */
export function useProject(id: string): Project | undefined {
  return useCollection(projectCollection).get(id);
}

/** The project as it is now, for something that carries the project as it was when that was read. */
export function useCurrentProject<Ref extends { readonly id: string; readonly name: string; readonly color: string }>(
  ref: Ref | null,
): Ref | Project | null {
  const rows = useCollection(projectCollection);
  return ref === null ? null : (rows.get(ref.id) ?? ref);
}
