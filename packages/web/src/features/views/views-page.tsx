import { Link } from "@tanstack/react-router";
import { Ellipsis, Filter } from "lucide-react";
import { useIsAway } from "../../api/use-is-away.ts";
import { useClient } from "../../client/use-client.ts";
import { AwayNotice } from "../../components/away-notice.tsx";
import { IconButton } from "../../components/button.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { Page } from "../shell/page.tsx";
import { useViews } from "./view-collection.ts";
import { ViewIcon } from "./view-icon.tsx";
import { openViewMenu } from "./view-menu.tsx";
import type { View } from "./view.ts";

/** The saved views of tasks. */
export default function ViewsPage() {
  const { rows: views, isLoading, error, retry } = useViews();
  return (
    <Page title="Views" onCreate={null}>
      <div className="min-h-0 flex-1 overflow-y-auto pb-20">
        <AwayNotice className="px-4 py-2">
          Views can be renamed, copied, ordered and deleted once the server responds.
        </AwayNotice>
        {isLoading && <SkeletonRows />}
        {error !== null && <ErrorState title="The views could not be loaded" error={error} onRetry={retry} />}
        {!isLoading && error === null && views.length === 0 && <NoViews />}
        <ul aria-label="Views">
          {views.map((view) => (
            <ViewRow key={view.id} view={view} views={views} />
          ))}
        </ul>
      </div>
    </Page>
  );
}

function ViewRow({ view, views }: { readonly view: View; readonly views: readonly View[] }) {
  const client = useClient();
  const isAway = useIsAway();
  return (
    <li className="relative flex min-h-12 items-center gap-3 border-b border-border pr-2 pl-4 hover:bg-hover">
      <ViewIcon view={view} />
      <div className="min-w-0 flex-1 py-2">
        <Link
          to="/views/$viewId"
          params={{ viewId: view.id }}
          className="line-clamp-2 font-medium [overflow-wrap:anywhere] text-strong after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent-text"
        >
          {view.name}
        </Link>
        {view.settings.filter !== "" && <p className="truncate text-13 text-muted">{view.settings.filter}</p>}
      </div>
      <IconButton
        label={`Actions for ${view.name}`}
        aria-haspopup="menu"
        className="relative"
        disabled={isAway}
        icon={<Ellipsis size={16} />}
        onClick={(event) => openViewMenu(client, event.currentTarget, view, { views })}
      />
    </li>
  );
}

function NoViews() {
  return (
    <EmptyState
      icon={<Filter size={20} />}
      title="No saved views yet"
      action={
        <Link to="/tasks" className="font-medium text-accent-text hover:underline">
          Go to the tasks
        </Link>
      }
    >
      Filter or group the tasks, then save the view to find it here and in the sidebar.
    </EmptyState>
  );
}
