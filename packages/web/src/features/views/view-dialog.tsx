import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useClient } from "../../client/use-client.ts";
import { ColorField } from "../../components/color-field.tsx";
import { InputField } from "../../components/field.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { useSubmit } from "../../components/use-submit.ts";
import { isHexColor } from "../projects/project.ts";
import { createView, updateView } from "./view-actions.ts";
import type { View, ViewSettings } from "./view.ts";

interface ViewDialogProps {
  /** The view to change, or the settings that a new one gets. */
  readonly of: { readonly view: View } | { readonly settings: ViewSettings };
  readonly onClose: () => void;
}

/** A view's name and color. */
export default function ViewDialog({ of, onClose }: ViewDialogProps) {
  const client = useClient();
  const navigate = useNavigate();
  const view = "view" in of ? of.view : null;
  const [name, setName] = useState(view?.name ?? "");
  const [color, setColor] = useState(view?.color ?? null);
  const isValid = name.trim() !== "" && (color === null || isHexColor(color));
  const submission = useSubmit(isValid, async () => {
    if ("view" in of) await updateView(client, of.view.id, { name: name.trim(), color });
    else {
      const made = await createView(client, { name: name.trim(), color, settings: of.settings });
      if (made !== undefined) await navigate({ to: "/views/$viewId", params: { viewId: made.id } });
    }
    onClose();
  });
  return (
    <FormDialog
      title={view === null ? "Save this view" : "Rename the view"}
      submission={submission}
      submitLabel={view === null ? "Save view" : "Save"}
      onDiscard={null}
      onClose={onClose}
    >
      <InputField
        label="Name"
        autoFocus
        required
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <ColorField color={color} isOptional onChange={setColor} />
    </FormDialog>
  );
}
