import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { PanelLeft, Plus, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { atBase } from "../../browser/base-path.ts";
import { useClient } from "../../client/use-client.ts";
import { IconButton } from "../../components/button.tsx";
import { ProjectDot } from "../../components/project-dot.tsx";
import { Skeleton } from "../../components/states.tsx";
import { tooltip } from "../../components/tooltip.ts";
import { loadable } from "../../components/loadable.tsx";
import { PAGES } from "../../routes/pages.ts";
import { useProjects } from "../projects/project-collection.ts";
import { useTaskCounts, type TaskCounts } from "../tasks/task-counts.ts";
import { AccountButton } from "./account-button.tsx";
import { toggleSidebar, useIsSidebarCollapsed } from "./sidebar-state.ts";
import { dialogs } from "./dialogs.ts";

// Not on the first screen, whose size is limited.
const AFTER_DATA = { afterData: true };
const SidebarViews = loadable(async () => (await import("../views/sidebar-views.tsx")).default, AFTER_DATA);
const ApprovalCount = loadable(async () => (await import("../approvals/approval-count.tsx")).default, AFTER_DATA);
const NewsCount = loadable(async () => (await import("../home/news-count.tsx")).default, AFTER_DATA);
const SidebarNotes = loadable(async () => (await import("../shelf/sidebar-notes.tsx")).default, AFTER_DATA);

const LINK = clsx(
  "flex h-8 items-center gap-2.5 rounded-control px-2 text-14 text-normal touch:h-11",
  "hover:bg-hover data-[status=active]:bg-pressed data-[status=active]:font-medium data-[status=active]:text-strong",
);

export function Sidebar() {
  const isCollapsed = useIsSidebarCollapsed();
  const counts = useTaskCounts();
  return (
    <nav aria-label="Main" className={clsx("flex shrink-0 flex-col gap-4 px-2 py-3", isCollapsed ? "w-13" : "w-58")}>
      <div className={clsx("flex items-center justify-between", !isCollapsed && "pl-2")}>
        {!isCollapsed && (
          <span className="flex items-center gap-2 font-semibold text-strong">
            <img src={atBase("/favicon.svg")} alt="" width={20} height={20} />
            Workspace
          </span>
        )}
        <IconButton
          label={isCollapsed ? "Show the sidebar" : "Hide the sidebar"}
          shortcut="sidebar"
          aria-expanded={!isCollapsed}
          className="aria-expanded:bg-transparent"
          icon={<PanelLeft size={16} />}
          onClick={toggleSidebar}
        />
      </div>
      <div className="-mx-2 -my-1 flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-2 py-1 [scrollbar-width:thin]">
        <ul className="flex flex-col gap-px">
          {PAGES.map(({ path, title, icon: Icon, goKey }) => (
            <li key={path}>
              <Link
                to={path}
                activeOptions={{ exact: true, includeSearch: false }}
                className={LINK}
                data-tooltip={title}
                data-tooltip-keys={`g ${goKey}`}
              >
                <Icon aria-hidden size={16} className="shrink-0" />
                <Words isHidden={isCollapsed}>{title}</Words>
                {!isCollapsed && path === "/" && <NewsCount />}
                {!isCollapsed && path === "/tasks" && <Count value={counts.countOpen()} label="open" />}
                {!isCollapsed && path === "/approvals" && <ApprovalCount />}
              </Link>
            </li>
          ))}
        </ul>
        <SidebarNotes linkClass={LINK} isCollapsed={isCollapsed} />
        {!isCollapsed && <SidebarViews linkClass={LINK} />}
        {!isCollapsed && <SidebarProjects counts={counts} />}
      </div>
      <div className="flex flex-col gap-px">
        <Link
          to="/deleted"
          activeOptions={{ includeSearch: false }}
          className={LINK}
          {...(isCollapsed && tooltip("Deleted"))}
        >
          <Trash2 aria-hidden size={16} className="shrink-0" />
          <Words isHidden={isCollapsed}>Deleted</Words>
        </Link>
        <AccountButton isCollapsed={isCollapsed} />
      </div>
    </nav>
  );
}

function SidebarProjects({ counts }: { counts: TaskCounts }) {
  const client = useClient();
  const { rows: projects, isLoading } = useProjects();
  return (
    <section aria-labelledby="sidebar-projects" className="flex flex-col">
      <div className="flex items-center justify-between pl-2">
        <h2 id="sidebar-projects" className="text-12 font-medium text-muted">
          Projects
        </h2>
        <IconButton
          size="small"
          label="Create a project"
          icon={<Plus size={14} />}
          onClick={() => dialogs(client).open({ kind: "new-project" })}
        />
      </div>
      {isLoading && (
        <div className="flex flex-col gap-3 px-2 py-2">
          <Skeleton className="h-3 w-3/5" />
          <Skeleton className="h-3 w-2/5" />
        </div>
      )}
      <ul className="flex flex-col gap-px">
        {projects.map((project) => (
          <li key={project.id}>
            <Link
              to="/projects/$projectId"
              params={{ projectId: project.id }}
              activeOptions={{ includeSearch: false }}
              className={LINK}
            >
              <span className="flex w-4 shrink-0 justify-center">
                <ProjectDot color={project.color} />
              </span>
              <span className="min-w-0 flex-1 truncate">{project.name}</span>
              <Count value={counts.countOpen(project.id)} label="open" />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Count({ value = 0, label }: { value: number | undefined; label: string }) {
  if (value === 0) return null;
  return (
    <span className="tabular ml-auto text-12 font-normal text-muted">
      {value.toLocaleString("en")}
      <span className="sr-only"> {label}</span>
    </span>
  );
}

function Words({ isHidden, children }: { isHidden: boolean; children: ReactNode }) {
  return <span className={isHidden ? "sr-only" : "truncate"}>{children}</span>;
}
