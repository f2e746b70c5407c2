import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useMemo } from "react";
import { newestDeletionFirst, useRows, type RowsState } from "../../api/collection-query.ts";
import { useCollection } from "../../api/use-collection.ts";
import { useIsAway } from "../../api/use-is-away.ts";
import { usePagedRows } from "../../api/use-paged-rows.ts";
import { useClient } from "../../client/use-client.ts";
import { ProjectDot } from "../../components/project-dot.tsx";
import { restoreDocuments } from "../documents/document-actions.ts";
import { deletedDocumentsQuery, documentCollection, documentsQuery } from "../documents/document-collection.ts";
import { useShowDocument } from "../documents/document-url.ts";
import { FileIcon } from "../documents/files/file-icon.tsx";
import { ChunkTypeIcon } from "../memory/chunk-type-icon.tsx";
import { restoreMemories } from "../memory/memory-actions.ts";
import { memoryCollection } from "../memory/memory-collection.ts";
import { nameOf, projectNameOf, type Memory } from "../memory/memory.ts";
import { restoreProject } from "../projects/project-actions.ts";
import { deletedProjectsQuery, projectCollection, projectsQuery } from "../projects/project-collection.ts";
import { useOpenTask } from "../shell/task-panel-url.ts";
import { StatusIcon } from "../tasks/status-icon.tsx";
import { restoreTasks } from "../tasks/task-actions.ts";
import { deletedTasksQuery, taskCollection, tasksQuery } from "../tasks/task-collection.ts";
import { restoreView } from "../views/view-actions.ts";
import { deletedViewsQuery } from "../views/view-collection.ts";
import { viewCollection } from "../views/view-rows.ts";
import { ViewIcon } from "../views/view-icon.tsx";
import { KIND_ORDER, type DeletedItem, type DeletedKind } from "./deleted-item.ts";

const MEMORIES_PER_PAGE = 200;

interface DeletedItems extends RowsState<DeletedItem> {
  /** The kinds that could not be loaded. */
  readonly missing: readonly DeletedKind[];
  /** The server is away: only what is known in this browser is listed. */
  readonly isAway: boolean;
}

/** Everything that was deleted and can be restored, latest first. */
export function useDeletedItems(): DeletedItems {
  const isAway = useIsAway();
  useKeptRows(isAway);
  const sources: Readonly<Record<DeletedKind, RowsState<DeletedItem>>> = {
    task: useDeletedTasks(),
    document: useDeletedDocuments(),
    memory: useForgottenMemories(),
    project: useDeletedProjects(),
    view: useDeletedViews(),
  };
  const states = KIND_ORDER.map((kind) => sources[kind]);
  const rows = states.flatMap((state) => state.rows).toSorted((a, b) => (a.deletedAt < b.deletedAt ? 1 : -1));
  return {
    rows,
    isLoading: rows.length === 0 && !isAway && states.some((state) => state.isLoading),
    error: rows.length === 0 && !isAway ? (states.find((state) => state.error !== null)?.error ?? null) : null,
    missing: isAway ? [] : KIND_ORDER.filter((kind) => sources[kind].error !== null),
    isAway,
    retry: () => states.forEach((state) => state.error !== null && state.retry()),
  };
}

/** While the server is away, what was deleted here since is among the rows that the browser keeps, which are read. */
function useKeptRows(isAway: boolean): void {
  const client = useClient();
  useQuery({ ...tasksQuery(client), enabled: isAway });
  useQuery({ ...documentsQuery(client), enabled: isAway });
  useQuery({ ...projectsQuery(client), enabled: isAway });
}

function useDeletedViews(): RowsState<DeletedItem> {
  const client = useClient();
  const state = useRows(deletedViewsQuery(client), viewCollection(client), newestDeletionFirst);
  return withItems(state, (view) => ({
    id: `view-${view.id}`,
    kind: "view",
    name: view.name,
    icon: <ViewIcon view={view} />,
    deletedAt: view.deletedAt ?? "",
    restore: () => void restoreView(client, view),
  }));
}

function useDeletedTasks(): RowsState<DeletedItem> {
  const client = useClient();
  const open = useOpenTask();
  const state = useRows(deletedTasksQuery(client), taskCollection(client), newestDeletionFirst);
  return withItems(state, ({ id, title, status, deletedAt }) => ({
    id: `task-${id}`,
    kind: "task",
    name: title,
    icon: <StatusIcon status={status} />,
    deletedAt: deletedAt ?? "",
    restore: () => void restoreTasks(client, [id]),
    open: () => open(id),
  }));
}

function useDeletedDocuments(): RowsState<DeletedItem> {
  const client = useClient();
  const open = useShowDocument();
  const state = useRows(deletedDocumentsQuery(client), documentCollection(client), newestDeletionFirst);
  return withItems(state, (document) => ({
    id: `document-${document.id}`,
    kind: "document",
    name: document.title,
    icon: <FileIcon file={document} />,
    detail: <span className="font-mono">/{document.path}</span>,
    deletedAt: document.deletedAt ?? "",
    restore: () => void restoreDocuments(client, [document.id]),
    open: () => open(document.id),
  }));
}

function useForgottenMemories(): RowsState<DeletedItem> {
  const client = useClient();
  const { hasMore, isLoadingMore, loadMore, ...state } = usePagedRows({
    queryKey: ["memory", "forgotten"],
    readPage: (cursor, signal) =>
      client.api.memory.list.query({ deleted: true, limit: MEMORIES_PER_PAGE, cursor }, { signal }),
    staleTime: 0,
  });
  // The server lists them by when they were learnt, so all are needed to list them by when they were forgotten.
  useEffect(() => {
    if (hasMore && !isLoadingMore) loadMore();
  }, [hasMore, isLoadingMore, loadMore]);
  const restored = useCollection(memoryCollection(client));
  const rows = useMemo(() => state.rows.filter(({ id }) => !restored.has(id)), [state.rows, restored]);
  return withItems({ ...state, rows }, (memory: Memory) => ({
    id: `memory-${memory.id}`,
    kind: "memory",
    name: nameOf(memory),
    text: memory.content,
    icon: <ChunkTypeIcon type={memory.chunkType} />,
    ...(memory.projectPath !== null && { detail: projectNameOf(memory.projectPath) }),
    deletedAt: memory.deletedAt ?? "",
    restore: () => void restoreMemories(client, [memory]),
  }));
}

function useDeletedProjects(): RowsState<DeletedItem> {
  const client = useClient();
  const navigate = useNavigate();
  const state = useRows(deletedProjectsQuery(client), projectCollection(client), newestDeletionFirst);
  return withItems(state, (project) => ({
    id: `project-${project.id}`,
    kind: "project",
    name: project.name,
    icon: <ProjectDot color={project.color} size={12} />,
    deletedAt: project.deletedAt ?? "",
    restore: () => void restoreProject(client, project),
    open: () => void navigate({ to: "/projects/$projectId", params: { projectId: project.id } }),
  }));
}

function withItems<Row>(state: RowsState<Row>, toItem: (row: Row) => DeletedItem): RowsState<DeletedItem> {
  return { ...state, rows: state.rows.map(toItem) };
}
