import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Client } from "../../client/client.ts";
import { useClient } from "../../client/use-client.ts";
import type { ToolTarget } from "./tool-target.ts";
import { UndoButton } from "./undo-button.tsx";

type Target = Exclude<ToolTarget, { kind: "task" | "note" }>;

/** Changes that a sentence describes, and their undo. */
export function CallUndo({ target }: { readonly target: Target }) {
  const client = useClient();
  const [isUndone, setUndone] = useState(false);
  const what = describe(target);
  const undo = undoOf(client, target);
  return (
    <div className="flex items-center gap-2">
      <p className="min-w-0 flex-1 [overflow-wrap:anywhere] text-normal">
        {what}
        {isUndone && <span className="text-muted"> · undone</span>}
      </p>
      {undo === null ? (
        <Link to="/deleted" className="font-medium text-accent-text hover:underline">
          Deleted items
        </Link>
      ) : (
        !isUndone && (
          <UndoButton
            what={what}
            onUndo={async () => {
              await undo();
              setUndone(true);
            }}
          />
        )
      )}
    </div>
  );
}

function describe(target: Target): string {
  switch (target.kind) {
    case "moved-file":
      return `Moved ${target.path} to ${target.newPath}`;
    case "deleted-file":
      return `Deleted ${target.path}`;
    case "restored-note":
      return "Restored a note";
    case "new-project":
      return "Created a project";
    case "new-memory":
      return "Stored a memory";
    case "deleted-memory":
      return "Deleted a memory";
  }
}

/** Null for what is restored on the page of deleted items, because a folder may contain many. */
function undoOf({ api }: Client, target: Target): (() => Promise<unknown>) | null {
  switch (target.kind) {
    case "moved-file":
      return () => api.fs.rename.mutate({ oldPath: target.newPath, newPath: target.path });
    case "deleted-file":
      return null;
    case "restored-note":
      return () => api.documents.delete.mutate({ id: target.id });
    case "new-project":
      return () => api.projects.delete.mutate({ id: target.id });
    case "new-memory":
      return () => api.memory.delete.mutate({ id: target.id });
    case "deleted-memory":
      return () => api.memory.restore.mutate({ ids: [target.id] });
  }
}
