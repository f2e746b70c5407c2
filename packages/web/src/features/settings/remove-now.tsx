import { Trash2 } from "lucide-react";
import { useState } from "react";
import { trpc } from "../../api/trpc.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { formatSize } from "../../numbers/number-format.ts";
import { countOf, KIND_TEXTS, type RetentionPreview } from "./retention.ts";

interface RemoveNowProps {
  readonly isRunning: boolean;
  readonly preview: readonly RetentionPreview[] | undefined;
}

/** Removes what is old at once, after a question that says what that is. */
export function RemoveNow({ isRunning, preview = [] }: RemoveNowProps) {
  const client = useClient();
  const [isAsking, setIsAsking] = useState(false);
  const old = preview.filter(({ oldRows }) => oldRows > 0);
  const close = () => setIsAsking(false);
  return (
    <>
      <Button
        size="small"
        icon={<Trash2 aria-hidden size={14} />}
        isBusy={isRunning}
        disabled={isRunning || old.length === 0}
        onClick={() => setIsAsking(true)}
      >
        Remove now
      </Button>
      {isAsking && (
        <ConfirmDialog
          title="Remove old data now?"
          description={`${old.map(describeOld).join(". ")}. This cannot be undone.`}
          confirmLabel="Remove permanently"
          failure="Not removed."
          onClose={close}
          onConfirm={async () => {
            const response = await client.api.retention.start.mutate();
            client.queries.setQueryData(trpc(client).retention.status.queryKey(), response);
            close();
          }}
        />
      )}
    </>
  );
}

function describeOld({ kind, oldRows, oldBytes }: RetentionPreview): string {
  return `${KIND_TEXTS[kind].label}: ${countOf(kind, oldRows)}, about ${formatSize(oldBytes)}`;
}
