import { useNavigate } from "@tanstack/react-router";
import { clsx } from "clsx";
import { Check } from "lucide-react";
import { useMemo } from "react";
import type { Client } from "../../client/client.ts";
import { useClient } from "../../client/use-client.ts";
import { parseStored } from "../../browser/stored-value.ts";
import { FormDialog } from "../../components/form-dialog.tsx";
import { useSubmit } from "../../components/use-submit.ts";
import { Field, Input, InputField, Textarea } from "../../components/field.tsx";
import { useDraft } from "../../drafts/draft.ts";
import { createProject, updateProject } from "./project-actions.ts";
import { DEFAULT_PROJECT_COLOR, isHexColor, PROJECT_COLORS, type Project } from "./project.ts";

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
      <ColorField color={form.color} onChange={(color) => change({ color })} />
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

function ColorField({ color, onChange }: { color: string; onChange: (color: string) => void }) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-13 font-medium text-strong">Color</legend>
      <div className="flex flex-wrap items-center gap-2">
        {PROJECT_COLORS.map(({ hex, name }) => (
          <label
            key={hex}
            data-tooltip={name}
            className={clsx(
              "project-color flex size-8 items-center justify-center rounded-control bg-current has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-text touch:size-11",
            )}
            style={{ "--project-color": hex }}
          >
            <input
              type="radio"
              name="color"
              aria-label={name}
              checked={color.toLowerCase() === hex}
              className="sr-only"
              onChange={() => onChange(hex)}
            />
            {color.toLowerCase() === hex && <Check aria-hidden size={16} strokeWidth={3} className="text-surface" />}
          </label>
        ))}
        <HexInput color={color} onChange={onChange} />
      </div>
    </fieldset>
  );
}

/** Any other color: with the system's color picker or as six hex digits. */
function HexInput({ color, onChange }: { color: string; onChange: (color: string) => void }) {
  return (
    <span className="flex items-center gap-1.5">
      <input
        type="color"
        aria-label="Another color"
        value={isHexColor(color) ? color.toLowerCase() : DEFAULT_PROJECT_COLOR}
        className="size-8 rounded-control border border-control bg-surface p-0.5 touch:size-11"
        onChange={(event) => onChange(event.target.value)}
      />
      <Input
        aria-label="Color as hex"
        aria-invalid={isHexColor(color) ? undefined : true}
        maxLength={7}
        spellCheck={false}
        value={color}
        className="w-24 font-mono text-13"
        onChange={(event) => onChange(event.target.value)}
      />
    </span>
  );
}

async function save(client: Client, project: Project | null, form: ProjectForm): Promise<Project | undefined> {
  const input = {
    name: form.name.trim(),
    color: form.color,
    description: form.description.trim() === "" ? null : form.description.trim(),
  };
  if (project === null) return createProject(client, input);
  await updateProject(client, project.id, input);
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
