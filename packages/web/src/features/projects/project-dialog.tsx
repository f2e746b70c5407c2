import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import type { Client } from "../../client/client.ts";
import { useClient } from "../../client/use-client.ts";
import { parseStored } from "../../browser/stored-value.ts";
import { FormDialog } from "../../components/form-dialog.tsx";
import { useSubmit } from "../../components/use-submit.ts";
import { ColorField } from "../../components/color-field.tsx";
import { Field, InputField, Textarea } from "../../components/field.tsx";
import { useDraft } from "../../drafts/draft.ts";
import { createProject, updateProject } from "./project-actions.ts";
import { DEFAULT_PROJECT_COLOR, isHexColor, type Project } from "./project.ts";

interface ProjectForm {
  readonly name: string;
  readonly color: string;
  readonly description: string;
}

interface ProjectDialogProps {
  /** The project to change; null to create one. */
  readonly project: Project | null;
  readonly onClose: () => void;
}

/** A project's name, color and description. Closing keeps what was typed; saving and “Discard” do not. */
export default function ProjectDialog({ project, onClose }: ProjectDialogProps) {
  const client = useClient();
  const navigate = useNavigate();
  const [stored, setStored] = useDraft(`project.${project?.id ?? "new"}`);
  const form = useMemo(() => ({ ...formOf(project), ...parseStored(stored, toDraft) }), [project, stored]);
  const change = (part: Partial<ProjectForm>) => setStored(JSON.stringify({ ...form, ...part }));
  const isValid = form.name.trim() !== "" && isHexColor(form.color);

  const submission = useSubmit(isValid, async () => {
    const made = await save(client, project, form);
    setStored(null);
    onClose();
    if (made !== undefined) await navigate({ to: "/projects/$projectId", params: { projectId: made.id } });
  });
  const discard = () => {
    setStored(null);
    onClose();
  };
  return (
    <FormDialog
      title={project === null ? "New project" : "Edit project"}
      submission={submission}
      submitLabel={project === null ? "Create project" : "Save project"}
      onDiscard={stored === null ? null : discard}
      onClose={onClose}
    >
      <InputField
        label="Name"
        autoFocus
        required
        maxLength={200}
        value={form.name}
        onChange={(event) => change({ name: event.target.value })}
      />
      <ColorField color={form.color} onChange={(color) => change({ color: color ?? "" })} />
      <Field label="Description" hint="What it is for, in a sentence or two. Optional.">
        {(control) => (
          <Textarea
            {...control}
            rows={3}
            maxLength={10_000}
            value={form.description}
            onChange={(event) => change({ description: event.target.value })}
          />
        )}
      </Field>
    </FormDialog>
  );
}

async function save(client: Client, project: Project | null, form: ProjectForm): Promise<Project | undefined> {
  const input = {
    name: form.name.trim(),
    color: form.color,
    description: form.description.trim() === "" ? null : form.description.trim(),
  };
  if (project === null) return createProject(client, input);
  // What was left as it was is not compared with what others make of it.
  const { name, color, description } = input;
  await updateProject(client, project.id, {
    ...(name !== project.name && { name }),
    ...(color !== project.color && { color }),
    ...(description !== project.description && { description }),
  });
  return undefined;
}

function formOf(project: Project | null): ProjectForm {
  return {
    name: project?.name ?? "",
    color: project?.color ?? DEFAULT_PROJECT_COLOR,
    description: project?.description ?? "",
  };
}

function toDraft(value: unknown): Partial<ProjectForm> {
  if (typeof value !== "object" || value === null) return {};
  const fields = new Map<string, unknown>(Object.entries(value));
  const text = (name: keyof ProjectForm) => {
    const found = fields.get(name);
    return typeof found === "string" ? { [name]: found } : {};
  };
  return { ...text("name"), ...text("color"), ...text("description") };
}
