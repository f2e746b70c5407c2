import { Suspense, useState } from "react";
import { useClient } from "../../client/use-client.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { useItemPanel } from "../shell/item-panel.ts";
import { Page } from "../shell/page.tsx";
import { PanelPage } from "../shell/side-panel.tsx";
import { memoryCollection } from "./memory-collection.ts";
import { MemoryList } from "./memory-list.tsx";
import { MemoryToolbar } from "./memory-toolbar.tsx";
import { parseTurnId } from "./search-hits.ts";
import { useMemoryListing } from "./use-memory-listing.ts";
import { lazyPart } from "../../components/lazy-part.tsx";

const MemoryPanel = lazyPart(() => import("./memory-panel.tsx"));
const TurnPanel = lazyPart(() => import("./turn-panel.tsx"));
const NewMemoryDialog = lazyPart(() => import("./new-memory-dialog.tsx"));
const MergeDialog = lazyPart(() => import("./merge-dialog.tsx"));

/** The memories of coding assistants, to search, correct and forget. */
export default function MemoryPage() {
  const client = useClient();
  const listing = useMemoryListing();
  const panel = useItemPanel("memory");
  const [editRequest, setEditRequest] = useState(0);
  const [isCreating, setIsCreating] = useState(false);
  const [mergedIds, setMergedIds] = useState<readonly string[]>([]);
  const create = () => setIsCreating(true);
  useShortcut("create", create);
  const edit = (id: string) => {
    panel.open(id);
    setEditRequest((count) => count + 1);
  };
  const showMerged = (keptId: string) => {
    // The open memory may be among those that are forgotten.
    if (panel.openId !== undefined && mergedIds.includes(panel.openId)) panel.open(keptId);
  };
  return (
    <PanelPage
      label="Memory"
      panel={panel}
      renderPanel={(id) => {
        const turn = parseTurnId(id);
        if (turn !== undefined) return <TurnPanel key={id} {...turn} onClose={panel.close} />;
        return (
          <MemoryPanel
            key={memoryCollection(client).keyOf(id)}
            memoryId={id}
            editRequest={editRequest}
            onMerge={setMergedIds}
            onClose={panel.close}
          />
        );
      }}
    >
      <Page title="Memory" createLabel="New memory" onCreate={create} toolbar={<MemoryToolbar listing={listing} />}>
        <MemoryList listing={listing} panel={panel} onCreate={create} onEdit={edit} onMerge={setMergedIds} />
      </Page>
      <Suspense>{isCreating && <NewMemoryDialog onClose={() => setIsCreating(false)} />}</Suspense>
      <Suspense>
        {mergedIds.length > 0 && <MergeDialog ids={mergedIds} onMerged={showMerged} onClose={() => setMergedIds([])} />}
      </Suspense>
    </PanelPage>
  );
}
