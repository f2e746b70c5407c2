import { Trash2 } from "lucide-react";
import { AwayNotice } from "../../components/away-notice.tsx";
import { Button } from "../../components/button.tsx";
import { FormAlert } from "../../components/form-alert.tsx";
import { Segmented } from "../../components/segmented.tsx";
import { EmptyState } from "../../components/states.tsx";
import { ResourceList } from "../../lists/resource-list.tsx";
import { useSearchParams } from "../../lists/use-search-params.ts";
import { Page } from "../shell/page.tsx";
import { useOpenTaskId } from "../shell/task-panel-url.ts";
import { DELETED_KINDS, isDeletedKind, KIND_ORDER, type DeletedKind } from "./deleted-item.ts";
import { DeletedRow } from "./deleted-row.tsx";
import { useDeletedItems } from "./use-deleted-items.tsx";

const OPTIONS = [
  { value: "all" as const, label: "All", icon: null },
  ...KIND_ORDER.map((kind) => ({
    value: kind,
    label: DELETED_KINDS[kind].plural,
    icon: null,
  })),
];

/** Everything that was deleted and can be restored, whatever it is. */
export default function DeletedPage() {
  const [{ kind }, setSearch] = useSearchParams(parseSearch);
  const { rows, missing, isAway, ...state } = useDeletedItems();
  const openTaskId = useOpenTaskId();
  const shown = kind === undefined ? rows : rows.filter((item) => item.kind === kind);
  return (
    <Page
      title="Deleted"
      onCreate={null}
      toolbar={
        <div className="flex h-12 shrink-0 items-center overflow-x-auto border-b border-border px-3 [scrollbar-width:none] touch:h-14 max-md:px-2">
          <Segmented
            label="Kind"
            value={kind ?? "all"}
            hasWords
            options={OPTIONS}
            onChange={(next) => setSearch({ kind: next === "all" ? undefined : next })}
          />
        </div>
      }
    >
      <AwayNotice className="px-4 py-2">
        This is what is known in this browser. The server may have more, and memories and views are restored once it
        responds.
      </AwayNotice>
      {missing.length > 0 && rows.length > 0 && (
        <div className="flex items-center gap-3 px-4 py-2">
          <FormAlert tone="danger">
            Not all could be loaded: {missing.map((one) => DELETED_KINDS[one].plural.toLowerCase()).join(", ")} are
            missing.
          </FormAlert>
          <Button size="small" onClick={state.retry}>
            Try again
          </Button>
        </div>
      )}
      <ResourceList
        label="Deleted items"
        state={{ ...state, rows: shown }}
        panel={{
          openId: openTaskId === undefined ? undefined : `task-${openTaskId}`,
          open: (id) => rows.find((item) => item.id === id)?.open?.(),
        }}
        renderRow={(item, position) => <DeletedRow item={item} isAway={isAway} position={position} />}
        empty={
          <EmptyState
            icon={<Trash2 size={20} />}
            title={isAway ? "Nothing deleted that is known here" : "Nothing deleted"}
          >
            What you delete can be restored from here: memories for 30 days, everything else for as long as you choose
            in the settings, under Storage.
          </EmptyState>
        }
      />
    </Page>
  );
}

function parseSearch({ kind }: Record<string, unknown>): { kind: DeletedKind | undefined } {
  return { kind: isDeletedKind(kind) ? kind : undefined };
}
