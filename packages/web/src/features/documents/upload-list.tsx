import { Check, RotateCw, X } from "lucide-react";
import { IconButton } from "../../components/button.tsx";
import { saySize } from "./document.ts";
import { dismissUpload, retryUpload, useUploads, type Upload } from "./uploads.ts";
import { nameOf } from "./vault-path.ts";

/** The files on their way into the vault, with how far they are. */
export function UploadList() {
  const uploads = useUploads();
  if (uploads.length === 0) return null;
  return (
    <section
      aria-label="Uploads"
      className="max-h-48 shrink-0 overflow-y-auto border-t border-border bg-background py-1"
    >
      <ul>
        {uploads.map((upload) => (
          <UploadRow key={upload.id} upload={upload} />
        ))}
      </ul>
    </section>
  );
}

function UploadRow({ upload }: { upload: Upload }) {
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
      <span className="tabular shrink-0 text-12 text-muted">{saySize(file.size)}</span>
      {state.kind === "done" && <Check aria-label="Uploaded" size={16} className="mx-1.5 shrink-0 text-success" />}
      {isFailed && (
        <>
          <IconButton
            size="small"
            label="Try again"
            icon={<RotateCw size={14} />}
            onClick={() => void retryUpload(upload)}
          />
          <IconButton size="small" label="Dismiss" icon={<X size={14} />} onClick={() => dismissUpload(id)} />
        </>
      )}
    </li>
  );
}
