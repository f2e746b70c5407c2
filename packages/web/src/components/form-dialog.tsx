import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { FormAlert } from "./form-alert.tsx";
import type { Submission } from "./use-submit.ts";

interface FormDialogProps {
  readonly title: string;
  readonly description?: string;
  readonly submission: Submission;
  /** The verb, for example "Create key". */
  readonly submitLabel: string;
  /** What has not happened, shown before the reason. */
  readonly failure?: string;
  readonly isDangerous?: boolean;
  /** For a form whose fields are kept when it is closed: clears them; null while there is nothing to clear. */
  readonly onDiscard?: (() => void) | null;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A form in a dialog. If it is refused, it stays open and shows the reason. */
export function FormDialog(props: FormDialogProps) {
  const { title, description, submission, submitLabel, failure = "Not saved.", onDiscard, onClose } = props;
  const { isDangerous = false, children } = props;
  const { isReady, error, isBusy, submit } = submission;
  return (
    <Dialog title={title} {...(description !== undefined && { description })} onClose={onClose}>
      <form className="flex flex-col gap-4" onSubmit={submit}>
        {error !== null && (
          <FormAlert tone="danger">
            {failure} {error}
          </FormAlert>
        )}
        {children}
        <div className="flex justify-end gap-2">
          {onDiscard !== null && (
            <Button tone="ghost" onClick={onDiscard ?? onClose}>
              {onDiscard === undefined ? "Cancel" : "Discard"}
            </Button>
          )}
          <Button
            type="submit"
            tone={isDangerous ? "danger" : "primary"}
            isBusy={isBusy}
            disabled={!isReady}
            className={isDangerous ? "border border-danger" : ""}
          >
            {submitLabel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
