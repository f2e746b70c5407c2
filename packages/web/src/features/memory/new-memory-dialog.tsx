import { useClient } from "../../client/use-client.ts";
import { parseStored } from "../../browser/stored-value.ts";
import { FormDialog } from "../../components/form-dialog.tsx";
import { useSubmit } from "../../components/use-submit.ts";
import { Field, InputField, Select, Textarea } from "../../components/field.tsx";
import { useDraft } from "../../drafts/draft.ts";
import { createMemory } from "./memory-actions.ts";
import { CHUNK_TYPE_LABELS, CHUNK_TYPES } from "./memory.ts";
import { parseNewMemoryDraft, type NewMemoryDraft } from "./new-memory-draft.ts";

/** Creates a memory. Closing keeps what was typed; saving and “Discard” do not. */
export default function NewMemoryDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useClient();
  const [stored, setStored] = useDraft("memory.new");
  const draft = parseStored(stored, parseNewMemoryDraft);
  const change = (part: Partial<NewMemoryDraft>) => setStored(JSON.stringify({ ...draft, ...part }));
  const content = draft.content.trim();
  const projectPath = draft.projectPath.trim();

  const submission = useSubmit(content !== "", async () => {
    await createMemory(client, {
      content,
      chunkType: draft.chunkType,
      projectPath: projectPath === "" ? null : projectPath,
    });
    setStored(null);
    onClose();
  });
  const discard = () => {
    setStored(null);
    onClose();
  };
  return (
    <FormDialog
      title="New memory"
      submission={submission}
      submitLabel="Create memory"
      onDiscard={stored === null ? null : discard}
      onClose={onClose}
    >
      <Field label="What to remember" hint="One thing, in a sentence that makes sense on its own.">
        {(control) => (
          <Textarea
            {...control}
            autoFocus
            required
            rows={3}
            maxLength={10_000}
            value={draft.content}
            onChange={(event) => change({ content: event.target.value })}
          />
        )}
      </Field>
      <div className="grid gap-4 md:grid-cols-2">
        <Field label="Type">
          {(control) => (
            <Select
              {...control}
              value={draft.chunkType}
              onChange={(event) => change(parseNewMemoryDraft({ ...draft, chunkType: event.target.value }))}
            >
              {CHUNK_TYPES.map((type) => (
                <option key={type} value={type}>
                  {CHUNK_TYPE_LABELS[type]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <InputField
          label="Project"
          hint="The project’s folder. Leave empty for any project."
          spellCheck={false}
          value={draft.projectPath}
          className="font-mono text-13"
          onChange={(event) => change({ projectPath: event.target.value })}
        />
      </div>
    </FormDialog>
  );
}
