import { useNavigate } from "@tanstack/react-router";
import { Play, SquareTerminal } from "lucide-react";
import type { ReactNode } from "react";
import { RESOURCES } from "../../resources/resources.ts";
import { useOpenTask } from "../shell/task-panel-url.ts";
import { StatusIcon } from "../tasks/status-icon.tsx";
import { STATUS_LABELS } from "../tasks/task.ts";
import { MarkedText } from "./marked-text.tsx";
import { Entry, Group } from "./palette-parts.tsx";
import type { PaletteHit, SearchHit } from "./palette-search.ts";

/** How the kinds of hits are called and shown. */
const KINDS: Readonly<Record<SearchHit["kind"], { label: string; icon: ReactNode }>> = {
  task: kindOf(RESOURCES.task),
  document: kindOf(RESOURCES.document),
  conversation: kindOf(RESOURCES.conversation),
  memory: kindOf(RESOURCES.memory),
  session: { label: "Session", icon: <SquareTerminal size={16} /> },
  agent: kindOf(RESOURCES.agent),
  run: { label: "Run", icon: <Play size={16} /> },
  secret: kindOf(RESOURCES.secret),
};

interface SearchResultsProps {
  readonly heading: string;
  readonly hits: readonly PaletteHit[];
  run(action: () => void): void;
}

/** Hits of all kinds in one list, in the order given. */
export function SearchResults({ heading, hits, run }: SearchResultsProps) {
  const navigate = useNavigate();
  const openTask = useOpenTask();
  if (hits.length === 0) return null;
  return (
    <Group heading={heading}>
      {hits.map(({ task, hit }) =>
        task !== undefined ? (
          <Entry
            key={task.id}
            value={`task-${task.id}`}
            icon={<StatusIcon status={task.status} />}
            hint={task.project?.name ?? STATUS_LABELS[task.status]}
            note={hit === undefined || hit.excerptMatches.length === 0 ? null : excerptOf(hit)}
            onSelect={() => run(() => openTask(task.id))}
          >
            {hit === undefined ? task.title : <MarkedText text={hit.title} ranges={hit.titleMatches} />}
          </Entry>
        ) : (
          <Entry
            key={`${hit.kind}-${hit.id}`}
            value={`${hit.kind}-${hit.id}`}
            icon={KINDS[hit.kind].icon}
            hint={KINDS[hit.kind].label}
            note={hit.excerpt === null ? null : excerptOf(hit)}
            onSelect={() => run(() => (hit.kind === "task" ? openTask(hit.id) : void navigate({ href: hit.url })))}
          >
            <MarkedText text={hit.title} ranges={hit.titleMatches} />
          </Entry>
        ),
      )}
    </Group>
  );
}

function excerptOf({ excerpt, excerptMatches }: SearchHit): ReactNode {
  return <MarkedText text={excerpt ?? ""} ranges={excerptMatches} />;
}

function kindOf({ label, icon: Icon }: (typeof RESOURCES)[keyof typeof RESOURCES]) {
  return { label, icon: <Icon size={16} /> };
}
