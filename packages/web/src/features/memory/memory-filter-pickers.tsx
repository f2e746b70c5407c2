import { CircleDashed, Folder } from "lucide-react";
import { useCollection } from "../../api/use-collection.ts";
import { useClient } from "../../client/use-client.ts";
import { OptionList } from "../../components/option-list.tsx";
import { toggled } from "../../lists/choices.ts";
import { ChunkTypeIcon } from "./chunk-type-icon.tsx";
import { memoryCollection } from "./memory-collection.ts";
import { NO_PROJECT_PATH, projectsOf, RELEVANCE_STEPS } from "./memory-filter.ts";
import { useMemorySearch } from "./memory-search.ts";
import { CHUNK_TYPE_LABELS, CHUNK_TYPES, projectNameOf, formatRelevance } from "./memory.ts";

export function TypeFilter() {
  const [filter, setFilter] = useMemorySearch();
  return (
    <OptionList
      label="Filter by type"
      options={CHUNK_TYPES.map((type) => ({
        value: type,
        label: CHUNK_TYPE_LABELS[type],
        icon: <ChunkTypeIcon type={type} />,
      }))}
      chosen={new Set(filter.types)}
      onPick={(type) => setFilter({ ...filter, types: toggled(filter.types, type) })}
    />
  );
}

export function ProjectFilter() {
  const client = useClient();
  const [filter, setFilter] = useMemorySearch();
  const memories = useCollection(memoryCollection(client));
  const options = [
    { value: NO_PROJECT_PATH, label: "Any project", icon: <CircleDashed size={16} className="text-muted" /> },
    ...projectsOf(memories.values()).map((path) => ({
      value: path,
      label: `${projectNameOf(path)} (${path})`,
      icon: <Folder size={16} className="text-muted" />,
    })),
  ];
  return (
    <OptionList
      label="Filter by project"
      options={options}
      chosen={new Set(filter.projects)}
      onPick={(path) => setFilter({ ...filter, projects: toggled(filter.projects, path) })}
      onCreate={(given) => setFilter({ ...filter, projects: [...new Set([...filter.projects, given])] })}
      createLabel={(given) => `The project of “${given}”`}
    />
  );
}

export function RelevanceFilter() {
  const [filter, setFilter] = useMemorySearch();
  return (
    <OptionList
      label="Filter by relevance"
      options={RELEVANCE_STEPS.map((step) => ({ value: step, label: `At least ${formatRelevance(step)}` }))}
      chosen={new Set([filter.minRelevance])}
      onPick={(step) => setFilter({ ...filter, minRelevance: step === filter.minRelevance ? 0 : step })}
    />
  );
}
