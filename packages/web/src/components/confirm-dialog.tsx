import type { ReactNode } from "react";
import { FormAlert } from "./form-alert.tsx";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { useSubmit } from "./use-submit.ts";

interface ConfirmDialogProps {
  readonly title: string;
  readonly description: string;
  /** The verb, for example "Delete permanently". */
  readonly confirmLabel: string;
  readonly cancelLabel?: string;
  /** What has not happened, shown before the reason: "Not deleted." */
  readonly failure: string;
  readonly isDangerous?: boolean;
  /** Closes the dialog when it has succeeded. Rejects with a RequestError. */
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
  /** An alternative, shown between the two buttons. */
  readonly children?: ReactNode;
}

/** Asks for confirmation before something that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, description, confirmLabel, cancelLabel = "Cancel", failure, onConfirm, onClose, children } = props;
  const { isDangerous = true } = props;
  const { error, isBusy, submit } = useSubmit(true, onConfirm);
  return (
    <Dialog title={title} description={description} onClose={onClose}>
      <div className="flex flex-col gap-4">
        {error !== null && (
          <FormAlert tone="danger">
            {failure} {error}
          </FormAlert>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button tone="ghost" autoFocus onClick={onClose}>
            {cancelLabel}
          </Button>
          {children}
          <Button
            tone={isDangerous ? "danger" : "primary"}
            isBusy={isBusy}
            className={isDangerous ? "border border-danger" : ""}
            onClick={() => submit()}
          >
            {confirmLabel}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
