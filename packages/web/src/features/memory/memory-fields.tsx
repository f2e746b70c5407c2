import { useId, useState, type ReactNode } from "react";
import { useCollection } from "../../api/use-collection.ts";
import { useClient } from "../../client/use-client.ts";
import { Input, Select } from "../../components/field.tsx";
import { updateMemory } from "./memory-actions.ts";
import { memoryCollection } from "./memory-collection.ts";
import { projectsOf } from "./memory-filter.ts";
import { CHUNK_TYPE_LABELS, CHUNK_TYPES, isChunkType, projectNameOf, formatRelevance, type Memory } from "./memory.ts";

/** The editable fields of a memory other than its text; each change is saved immediately. */
export function MemoryFields({ memory }: { readonly memory: Memory }) {
  const client = useClient();
  const id = useId();
  return (
    <div className="grid grid-cols-[96px_minmax(0,1fr)] items-center gap-x-3 gap-y-2">
      <FieldLabel htmlFor={`${id}-type`}>Type</FieldLabel>
      <Select
        id={`${id}-type`}
        value={memory.chunkType}
        onChange={({ target }) => {
          if (isChunkType(target.value)) void updateMemory(client, memory, { chunkType: target.value });
        }}
      >
        {CHUNK_TYPES.map((type) => (
          <option key={type} value={type}>
            {CHUNK_TYPE_LABELS[type]}
          </option>
        ))}
      </Select>
      <FieldLabel htmlFor={`${id}-project`}>Project</FieldLabel>
      <ProjectField key={`${memory.id} ${memory.projectPath}`} id={`${id}-project`} memory={memory} />
      <FieldLabel htmlFor={`${id}-relevance`}>Relevance</FieldLabel>
      <RelevanceField key={`${memory.id} ${memory.relevanceScore}`} id={`${id}-relevance`} memory={memory} />
    </div>
  );
}

function FieldLabel({ htmlFor, children }: { htmlFor: string; children: ReactNode }) {
  return (
    <label htmlFor={htmlFor} className="text-13 text-muted">
      {children}
    </label>
  );
}

/** A folder path, with suggestions from existing memories. */
function ProjectField({ id, memory }: { id: string; memory: Memory }) {
  const client = useClient();
  const [path, setPath] = useState(memory.projectPath ?? "");
  const memories = useCollection(memoryCollection(client));
  const save = () => {
    const projectPath = path.trim() === "" ? null : path.trim();
    if (projectPath !== memory.projectPath) void updateMemory(client, memory, { projectPath });
  };
  return (
    <>
      <Input
        id={id}
        list={`${id}-paths`}
        value={path}
        placeholder="Any project"
        spellCheck={false}
        className="font-mono text-13"
        onChange={(event) => setPath(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") event.currentTarget.blur();
        }}
        onBlur={save}
      />
      <datalist id={`${id}-paths`}>
        {projectsOf(memories.values()).map((known) => (
          <option key={known} value={known} label={projectNameOf(known)}>
            {known}
          </option>
        ))}
      </datalist>
    </>
  );
}

function RelevanceField({ id, memory }: { id: string; memory: Memory }) {
  const client = useClient();
  const [score, setScore] = useState(memory.relevanceScore);
  const save = () => {
    if (score !== memory.relevanceScore) void updateMemory(client, memory, { relevanceScore: score });
  };
  return (
    <span className="flex h-(--control-height) items-center gap-3">
      <input
        id={id}
        type="range"
        min={0}
        max={1}
        step={0.05}
        value={score}
        aria-valuetext={formatRelevance(score)}
        className="min-w-0 flex-1 accent-accent"
        onChange={(event) => setScore(Number(event.target.value))}
        onPointerUp={save}
        onBlur={save}
      />
      <span className="tabular w-12 text-right text-13 text-strong">{formatRelevance(score)}</span>
    </span>
  );
}
