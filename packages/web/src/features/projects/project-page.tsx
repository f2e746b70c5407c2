import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { clsx } from "clsx";
import { Ellipsis, Folders } from "lucide-react";
import { useState } from "react";
import { useClient } from "../../client/use-client.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { ProjectDot } from "../../components/project-dot.tsx";
import { Page } from "../shell/page.tsx";
import { focusQuickAdd } from "../tasks/quick-add.tsx";
import { TaskWorkspace } from "../tasks/task-workspace.tsx";
import { restoreProject } from "./project-actions.ts";
import { projectQuery, useProject } from "./project-collection.ts";
import { openProjectMenu } from "./project-menu.tsx";
import type { Project } from "./project.ts";

/** The tasks of one project. */
export default function ProjectPage() {
  const { projectId } = useParams({ from: "/app/projects/$projectId" });
  const client = useClient();
  const project = useProject(projectId);
  const { error, refetch } = useQuery({ ...projectQuery(client, projectId), enabled: project === undefined });
  if (project === undefined) {
    return (
      <Page title="Project" onCreate={null}>
        {error === null ? (
          <SkeletonRows />
        ) : (
          <ErrorState title="The project could not be opened" error={error} onRetry={() => void refetch()} />
        )}
      </Page>
    );
  }
  return project.deletedAt === null ? <ActiveProject project={project} /> : <DeletedProject project={project} />;
}

function ActiveProject({ project }: { project: Project }) {
  const client = useClient();
  const navigate = useNavigate();
  return (
    <Page
      title={project.name}
      lead={<ProjectDot color={project.color} size={12} />}
      actions={
        <IconButton
          size="small"
          label="Actions for this project"
          aria-haspopup="menu"
          icon={<Ellipsis size={16} />}
          onClick={(event) =>
            openProjectMenu(client, event.currentTarget, project, () => void navigate({ to: "/projects" }))
          }
        />
      }
      onCreate={focusQuickAdd}
    >
      {project.description !== null && <Description text={project.description} />}
      <TaskWorkspace
        key={project.id}
        label={`Tasks of ${project.name}`}
        projectId={project.id}
        emptyText="Tasks that you add here belong to this project."
      />
    </Page>
  );
}

/** Shows two lines of the description; a click shows all of it. */
function Description({ text }: { text: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      className="max-h-[40vh] w-full shrink-0 overflow-y-auto border-b border-border px-4 py-2 text-left text-13 text-muted hover:text-normal"
      onClick={() => setIsOpen(!isOpen)}
    >
      <span className={clsx("[overflow-wrap:anywhere] whitespace-pre-line", isOpen ? "block" : "line-clamp-2")}>
        {text}
      </span>
    </button>
  );
}

function DeletedProject({ project }: { project: Project }) {
  const client = useClient();
  return (
    <Page title={project.name} onCreate={null}>
      <EmptyState
        icon={<Folders size={20} />}
        title="This project has been deleted"
        action={
          <Button tone="primary" onClick={() => void restoreProject(client, project)}>
            Restore the project
          </Button>
        }
      >
        Its tasks still exist and belong to it again once it is restored.
      </EmptyState>
    </Page>
  );
}
