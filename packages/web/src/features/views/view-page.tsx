import { useNavigate, useParams } from "@tanstack/react-router";
import { Ellipsis, Filter } from "lucide-react";
import { useClient } from "../../client/use-client.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { Page } from "../shell/page.tsx";
import { focusQuickAdd } from "../tasks/quick-add.tsx";
import { TaskWorkspace } from "../tasks/task-workspace.tsx";
import { restoreView } from "./view-actions.ts";
import { useViews } from "./view-collection.ts";
import { useView } from "./view-rows.ts";
import { ViewIcon } from "./view-icon.tsx";
import { openViewMenu } from "./view-menu.tsx";
import type { View } from "./view.ts";

/** The tasks of one saved view. */
export default function ViewPage() {
  const { viewId } = useParams({ from: "/app/views/$viewId" });
  const { isLoading, error, retry } = useViews();
  const view = useView(viewId);
  if (view !== undefined)
    return view.deletedAt === null ? <ActiveView key={view.id} view={view} /> : <DeletedView view={view} />;
  return (
    <Page title="View" onCreate={null}>
      {isLoading && <SkeletonRows />}
      {error !== null && <ErrorState title="The view could not be opened" error={error} onRetry={retry} />}
      {!isLoading && error === null && (
        <EmptyState icon={<Filter size={20} />} title="There is no such view">
          It may have been deleted.
        </EmptyState>
      )}
    </Page>
  );
}

function ActiveView({ view }: { readonly view: View }) {
  const client = useClient();
  const navigate = useNavigate();
  return (
    <Page
      title={view.name}
      lead={<ViewIcon view={view} />}
      actions={
        <IconButton
          size="small"
          label="Actions for this view"
          aria-haspopup="menu"
          icon={<Ellipsis size={16} />}
          onClick={(event) =>
            openViewMenu(client, event.currentTarget, view, {
              onDuplicated: (copy) => void navigate({ to: "/views/$viewId", params: { viewId: copy.id } }),
              onDeleted: () => void navigate({ to: "/views" }),
            })
          }
        />
      }
      onCreate={focusQuickAdd}
    >
      <TaskWorkspace
        label={`Tasks in ${view.name}`}
        emptyText="Tasks that match the filter of this view appear here."
      />
    </Page>
  );
}

function DeletedView({ view }: { readonly view: View }) {
  const client = useClient();
  return (
    <Page title={view.name} onCreate={null}>
      <EmptyState
        icon={<Filter size={20} />}
        title="This view has been deleted"
        action={
          <Button tone="primary" onClick={() => void restoreView(client, view)}>
            Restore the view
          </Button>
        }
      >
        Its tasks still exist.
      </EmptyState>
    </Page>
  );
}
