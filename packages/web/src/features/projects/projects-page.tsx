import { Link } from "@tanstack/react-router";
import { Ellipsis, Folders, Plus } from "lucide-react";
import type { Client } from "../../client/client.ts";
import { useClient } from "../../client/use-client.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { ProjectDot } from "../../components/project-dot.tsx";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { Page } from "../shell/page.tsx";
import { useTaskCounts } from "../tasks/task-counts.ts";
import { useProjects } from "./project-collection.ts";
import { openProjectMenu } from "./project-menu.tsx";
import type { Project } from "./project.ts";
import { dialogs } from "../shell/dialogs.ts";

export default function ProjectsPage() {
  const client = useClient();
  const { rows: projects, isLoading, error, retry } = useProjects();
  const { count, countOpen } = useTaskCounts();
  const create = () => openNewProject(client);
  useShortcut("create", create);
  return (
    <Page title="Projects" onCreate={create} createLabel="New project">
      <div className="min-h-0 flex-1 overflow-y-auto pb-20">
        {isLoading && <SkeletonRows />}
        {error !== null && <ErrorState title="The projects could not be loaded" error={error} onRetry={retry} />}
        {!isLoading && error === null && projects.length === 0 && <NoProjects />}
        <ul aria-label="Projects">
          {projects.map((project) => (
            <ProjectRow
              key={project.id}
              project={project}
              open={countOpen(project.id)}
              done={count("done", project.id)}
            />
          ))}
        </ul>
      </div>
    </Page>
  );
}

interface ProjectProgress {
  /** The number of open tasks, and of done ones; undefined while they are not known. */
  readonly open: number | undefined;
  readonly done: number | undefined;
}

function ProjectRow({ project, ...progress }: ProjectProgress & { readonly project: Project }) {
  const client = useClient();
  return (
    <li className="relative flex min-h-14 items-center gap-3 border-b border-border pr-2 pl-4 hover:bg-hover">
      <ProjectDot color={project.color} size={12} />
      <div className="min-w-0 flex-1 py-2">
        <Link
          to="/projects/$projectId"
          params={{ projectId: project.id }}
          className="line-clamp-2 font-medium [overflow-wrap:anywhere] text-strong after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent-text"
        >
          {project.name}
        </Link>
        {project.description !== null && <p className="truncate text-13 text-muted">{project.description}</p>}
      </div>
      <Progress {...progress} color={project.color} />
      <IconButton
        label={`Actions for ${project.name}`}
        aria-haspopup="menu"
        className="relative"
        icon={<Ellipsis size={16} />}
        onClick={(event) => openProjectMenu(client, event.currentTarget, project)}
      />
    </li>
  );
}

/** How much of a project is done, as text and as a bar. */
function Progress({ open, done, color }: ProjectProgress & { color: string }) {
  if (open === undefined || done === undefined) return null;
  const total = open + done;
  if (total === 0) return <span className="text-12 text-muted">No tasks</span>;
  return (
    <div className="flex items-center gap-3">
      <span className="tabular text-12 text-muted">
        {open === 0 ? "All done" : `${open.toLocaleString("en")} open`}
      </span>
      <svg
        aria-hidden
        viewBox="0 0 80 4"
        className="project-color h-1 w-20 max-md:hidden"
        style={{ "--project-color": color }}
      >
        <rect width="80" height="4" rx="2" fill="var(--pressed)" />
        <rect width={(80 * done) / total} height="4" rx="2" fill="currentColor" />
      </svg>
    </div>
  );
}

function NoProjects() {
  const client = useClient();
  return (
    <EmptyState
      icon={<Folders size={20} />}
      title="No projects yet"
      action={
        <Button tone="primary" icon={<Plus aria-hidden size={16} />} onClick={() => openNewProject(client)}>
          Create a project
        </Button>
      }
    >
      A project groups related tasks under a name and a color.
    </EmptyState>
  );
}

function openNewProject(client: Client): void {
  dialogs(client).open({ kind: "new-project" });
}
