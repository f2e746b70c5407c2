import { Check, RotateCw, X } from "lucide-react";
import { useStore } from "../../../client/store.ts";
import { useClient } from "../../../client/use-client.ts";
import { IconButton } from "../../../components/button.tsx";
import { formatSize } from "../../../numbers/number-format.ts";
import { uploads, type Upload } from "./uploads.ts";
import { nameOf } from "../vault/vault-path.ts";

/** The files being uploaded, with their progress. */
export function UploadList() {
  const list = useStore(uploads(useClient()).list);
  if (list.length === 0) return null;
  return (
    <section
      aria-label="Uploads"
      className="max-h-48 shrink-0 overflow-y-auto border-t border-border bg-background py-1"
    >
      <ul>
        {list.map((upload) => (
          <UploadRow key={upload.id} upload={upload} />
        ))}
      </ul>
    </section>
  );
}

function UploadRow({ upload }: { upload: Upload }) {
  const client = useClient();
  const { id, file, path, sentBytes, state } = upload;
  const isFailed = state.kind === "failed";
  return (
    <li className="flex min-h-9 items-center gap-2 pr-1 pl-3 text-13">
      <div className="min-w-0 flex-1">
        <p className="truncate text-strong">{nameOf(path)}</p>
        {isFailed ? (
          <p role="alert" className="text-12 text-danger">
            {state.message}
          </p>
        ) : (
          <progress className="progress" value={sentBytes} max={file.size} aria-label={`Uploading ${nameOf(path)}`} />
        )}
      </div>
      <span className="tabular shrink-0 text-12 text-muted">{formatSize(file.size)}</span>
      {state.kind === "done" && <Check aria-label="Uploaded" size={16} className="mx-1.5 shrink-0 text-success" />}
      {isFailed && (
        <>
          <IconButton
            size="small"
            label="Try again"
            icon={<RotateCw size={14} />}
            onClick={() => void uploads(client).retry(upload)}
          />
          <IconButton size="small" label="Dismiss" icon={<X size={14} />} onClick={() => uploads(client).dismiss(id)} />
        </>
      )}
    </li>
  );
}
