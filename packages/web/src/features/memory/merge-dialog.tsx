import { clsx } from "clsx";
import { useState, type FormEvent } from "react";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Field, Textarea } from "../../components/field.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { useCollection } from "../../api/use-collection.ts";
import { useClient } from "../../client/use-client.ts";
import { pluralize } from "../../numbers/number-format.ts";
import { mergeMemories } from "./memory-actions.ts";
import { memoryCollection } from "./memory-collection.ts";
import { CHUNK_TYPE_LABELS, projectNameOf, formatRelevance, type Memory } from "./memory.ts";

interface MergeDialogProps {
  readonly ids: readonly string[];
  readonly onMerged: (keptId: string) => void;
  readonly onClose: () => void;
}

/** Compares memories: one is kept, with the merged text, and the others are forgotten. */
export default function MergeDialog({ ids, onMerged, onClose }: MergeDialogProps) {
  const client = useClient();
  const rows = useCollection(memoryCollection(client));
  // As they were when the dialog opened: merging removes them while it closes.
  const [memories] = useState(() => ids.map((id) => rows.get(id)).filter((memory) => memory !== undefined));
  const [keptId, setKeptId] = useState(() => longestOf(memories)?.id);
  const kept = memories.find((memory) => memory.id === keptId);
  const [content, setContent] = useState<string | null>(null);
  const text = content ?? kept?.content ?? "";

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (kept === undefined || text.trim() === "") return;
    onClose();
    onMerged(kept.id);
    void mergeMemories(
      client,
      kept,
      memories.filter((memory) => memory !== kept),
      text.trim(),
    );
  };
  return (
    <Dialog
      title="Merge memories"
      description="Choose the one to keep. It keeps its type, project and source, and gets the highest relevance."
      onClose={onClose}
      className="md:max-w-200"
    >
      <form className="flex flex-col gap-4" onSubmit={submit}>
        <fieldset>
          <legend className="sr-only">Memory to keep</legend>
          <div className="grid gap-3 md:grid-cols-2">
            {memories.map((memory) => (
              <Candidate
                key={memory.id}
                memory={memory}
                isKept={memory.id === keptId}
                onKeep={() => setKeptId(memory.id)}
              />
            ))}
          </div>
        </fieldset>
        <Field label="Merged text">
          {(control) => (
            <Textarea
              {...control}
              rows={3}
              required
              maxLength={10_000}
              value={text}
              onChange={(event) => setContent(event.target.value)}
            />
          )}
        </Field>
        <div className="flex justify-end gap-2">
          <Button tone="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" tone="primary" disabled={text.trim() === ""}>
            Merge into one
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface CandidateProps {
  readonly memory: Memory;
  readonly isKept: boolean;
  readonly onKeep: () => void;
}

function Candidate({ memory, isKept, onKeep }: CandidateProps) {
  const { content, chunkType, projectPath, relevanceScore, accessCount, createdAt, sourceExcerpt } = memory;
  return (
    <label
      className={clsx(
        "flex flex-col gap-2 rounded-panel border p-3 has-focus-visible:outline-2 has-focus-visible:outline-accent-text",
        isKept ? "border-accent-text bg-accent-soft" : "border-border hover:bg-hover",
      )}
    >
      <span className="flex items-center gap-2 text-13 font-medium text-strong">
        <input type="radio" name="kept" checked={isKept} className="accent-accent" onChange={onKeep} />
        {isKept ? "Kept" : "Forgotten"}
      </span>
      <span className="max-h-48 overflow-y-auto [overflow-wrap:anywhere] whitespace-pre-wrap text-strong">
        {content}
      </span>
      {sourceExcerpt !== null && (
        <span className="line-clamp-3 border-l-2 border-border pl-2 text-13 [overflow-wrap:anywhere]">
          {sourceExcerpt}
        </span>
      )}
      <span className="mt-auto flex flex-wrap gap-x-3 text-12 text-muted">
        <span>{CHUNK_TYPE_LABELS[chunkType]}</span>
        {projectPath !== null && <span>{projectNameOf(projectPath)}</span>}
        <span>{formatRelevance(relevanceScore)}</span>
        <span>found {pluralize(accessCount, "time")}</span>
        <TimeAgo timestamp={createdAt} />
      </span>
    </label>
  );
}

/** The longest, since it probably contains the most; the user can choose another. */
function longestOf(memories: readonly Memory[]): Memory | undefined {
  return memories.toSorted((a, b) => b.content.length - a.content.length)[0];
}
