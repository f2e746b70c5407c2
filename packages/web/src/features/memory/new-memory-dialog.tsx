import { useState, type FormEvent } from "react";
import { toRequestError } from "../../api/request-error.ts";
import { parseStored } from "../../browser/stored-value.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Field, Input, Select, Textarea } from "../../components/field.tsx";
import { useDraft } from "../../drafts/draft.ts";
import { FormAlert } from "../auth/form-alert.tsx";
import { createMemory } from "./memory-actions.ts";
import { CHUNK_TYPE_LABELS, CHUNK_TYPES } from "./memory.ts";
import { parseNewMemoryDraft, type NewMemoryDraft } from "./new-memory-draft.ts";

/** Writes a memory by hand. Closing keeps what was typed; saving and “Discard” do not. */
export default function NewMemoryDialog({ onClose }: { readonly onClose: () => void }) {
  const [stored, setStored] = useDraft("memory.new");
  const draft = parseStored(stored, parseNewMemoryDraft);
  const change = (part: Partial<NewMemoryDraft>) => setStored(JSON.stringify({ ...draft, ...part }));
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const content = draft.content.trim();
  const projectPath = draft.projectPath.trim();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || content === "") return;
    setIsBusy(true);
    setError(null);
    try {
      await createMemory({ content, chunkType: draft.chunkType, projectPath: projectPath === "" ? null : projectPath });
      setStored(null);
      onClose();
    } catch (failure) {
      setError(toRequestError(failure).message);
      setIsBusy(false);
    }
  };
  return (
    <Dialog title="New memory" onClose={onClose}>
      <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        {error !== null && <FormAlert tone="danger">Not saved. {error}</FormAlert>}
        <Field label="What to remember" hint="One thing, in a sentence that makes sense without its surroundings.">
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
          <Field label="Project" hint="Its folder. Empty: any project.">
            {(control) => (
              <Input
                {...control}
                spellCheck={false}
                value={draft.projectPath}
                className="font-mono text-13"
                onChange={(event) => change({ projectPath: event.target.value })}
              />
            )}
          </Field>
        </div>
        <div className="flex justify-end gap-2">
          {stored !== null && (
            <Button
              tone="ghost"
              onClick={() => {
                setStored(null);
                onClose();
              }}
            >
              Discard
            </Button>
          )}
          <Button type="submit" tone="primary" isBusy={isBusy} disabled={content === ""}>
            Create memory
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
