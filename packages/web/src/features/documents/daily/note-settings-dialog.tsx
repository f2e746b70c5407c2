import { useQuery } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import { useState } from "react";
import { useClient } from "../../../client/use-client.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { Field, Input, InputField, Select } from "../../../components/field.tsx";
import { FormDialog } from "../../../components/form-dialog.tsx";
import { ErrorState, Skeleton } from "../../../components/states.tsx";
import { useSubmit } from "../../../components/use-submit.ts";
import { useVault } from "../vault/vault-store.ts";
import { noteSettingsQuery, type NoteSettings } from "./daily-note.ts";
import { templatesAmong } from "./note-template.ts";

const TITLE = "Daily notes and templates";

/** Where daily notes and templates are, for everybody who uses the vault. */
export default function NoteSettingsDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useClient();
  const { data, error, refetch } = useQuery({ ...noteSettingsQuery(client), staleTime: 0 });
  if (data !== undefined) return <SettingsForm key={data.version} settings={data} onClose={onClose} />;
  return (
    <Dialog title={TITLE} onClose={onClose}>
      {error === null ? (
        <Skeleton className="h-40" />
      ) : (
        <ErrorState title="The settings could not be loaded" error={error} onRetry={() => void refetch()} />
      )}
    </Dialog>
  );
}

type Form = Pick<NoteSettings, "dailyFolder" | "dailyName" | "dailyTemplate" | "templateFolder" | "folderTemplates">;

function SettingsForm({ settings, onClose }: { settings: NoteSettings; onClose: () => void }) {
  const client = useClient();
  const { documents } = useVault();
  const { version, updatedAt: _updatedAt, ...stored } = settings;
  const [form, setForm] = useState<Form>(stored);
  const change = (part: Partial<Form>) => setForm({ ...form, ...part });
  const templates = templatesAmong(documents, { ...settings, ...form }).map(({ path }) => path);
  const isValid = form.dailyName.trim() !== "" && form.templateFolder.trim() !== "";
  const submission = useSubmit(isValid, async () => {
    const { data } = await client.api.notes.setSettings.mutate({ ...form, expectedVersion: version });
    client.queries.setQueryData(noteSettingsQuery(client).queryKey, data);
    await client.queries.invalidateQueries({ queryKey: ["documents", "daily"] });
    onClose();
  });
  return (
    <FormDialog title={TITLE} submission={submission} submitLabel="Save settings" onClose={onClose}>
      <InputField
        label="Folder of daily notes"
        value={form.dailyFolder}
        placeholder="The top of the vault"
        onChange={(event) => change({ dailyFolder: event.target.value })}
      />
      <InputField
        label="Name of a daily note"
        hint="YYYY, MM, DD, MMMM, dddd and their like stand for the day, [text] for the text. A / makes a folder."
        value={form.dailyName}
        onChange={(event) => change({ dailyName: event.target.value })}
      />
      <TemplateField
        label="Template of a daily note"
        templates={templates}
        value={form.dailyTemplate}
        onChange={(dailyTemplate) => change({ dailyTemplate })}
      />
      <InputField
        label="Folder of templates"
        hint="Variables: {{date}}, {{date:D MMMM}}, {{yesterday}}, {{tomorrow}}, {{weekday}}, {{time}}, {{title}}, {{folder}}, {{author}}, {{cursor}}."
        value={form.templateFolder}
        onChange={(event) => change({ templateFolder: event.target.value })}
      />
      <FolderTemplates
        rows={form.folderTemplates}
        templates={templates}
        onChange={(folderTemplates) => change({ folderTemplates })}
      />
    </FormDialog>
  );
}

interface TemplateFieldProps {
  readonly label: string;
  readonly templates: readonly string[];
  readonly value: string | null;
  onChange(template: string | null): void;
}

function TemplateField({ label, templates, value, onChange }: TemplateFieldProps) {
  return (
    <Field label={label}>
      {(control) => (
        <Select {...control} value={value ?? ""} onChange={(event) => onChange(event.target.value || null)}>
          <option value="">None</option>
          {withValue(templates, value).map((path) => (
            <option key={path}>{path}</option>
          ))}
        </Select>
      )}
    </Field>
  );
}

interface FolderTemplatesProps {
  readonly rows: Form["folderTemplates"];
  readonly templates: readonly string[];
  onChange(rows: Form["folderTemplates"]): void;
}

function FolderTemplates({ rows, templates, onChange }: FolderTemplatesProps) {
  const [first] = templates;
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="pb-1 text-13 font-medium text-strong">Templates for new notes, by folder</legend>
      {rows.map(({ folder, template }, index) => (
        <div key={index} className="grid grid-cols-[1fr_1fr_auto] items-center gap-2 *:min-w-0">
          <Input
            aria-label="Folder"
            placeholder="The top of the vault"
            value={folder}
            onChange={(event) => onChange(rows.with(index, { folder: event.target.value, template }))}
          />
          <Select
            aria-label="Template"
            value={template}
            onChange={(event) => onChange(rows.with(index, { folder, template: event.target.value }))}
          >
            {withValue(templates, template).map((path) => (
              <option key={path}>{path}</option>
            ))}
          </Select>
          <IconButton
            size="small"
            label="Remove"
            icon={<X size={16} />}
            onClick={() => onChange(rows.toSpliced(index, 1))}
          />
        </div>
      ))}
      <Button
        tone="ghost"
        size="small"
        className="self-start"
        icon={<Plus aria-hidden size={14} />}
        disabled={first === undefined}
        onClick={() => first !== undefined && onChange([...rows, { folder: "", template: first }])}
      >
        {first === undefined ? "Write a note in the folder of templates first" : "Add a folder"}
      </Button>
    </fieldset>
  );
}

/** What is set may be missing in the vault. */
function withValue(paths: readonly string[], value: string | null): readonly string[] {
  return value === null || paths.includes(value) ? paths : [value, ...paths];
}
