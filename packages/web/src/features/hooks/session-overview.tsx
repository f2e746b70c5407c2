import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheckBig, FileText, ShieldX } from "lucide-react";
import { Suspense, type ReactNode } from "react";
import { useClient } from "../../client/use-client.ts";
import { assistantName } from "@workspace/core/assistant-names";
import { Badge } from "../../components/badge.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { toolLabel } from "../../components/tool-label.ts";
import { formatCount, formatDuration, formatMoney, formatTokens } from "../../numbers/number-format.ts";
import { waitsQuery } from "../approvals/approvals.ts";
import { visibleText } from "../approvals/visible-text.ts";
import { ChunkTypeIcon } from "../memory/chunk-type-icon.tsx";
import { memoryPanel } from "../memory/memory.ts";
import { useOpenTask } from "../shell/task-panel-url.ts";
import { GivenMemories } from "./given-memories.tsx";
import { LeftOutMemories } from "./left-out-memories.tsx";
import { HOOK_EVENT_LABELS, summaryOf, type HookEvent } from "./hook-event.ts";
import { SessionChanges } from "./session-changes.tsx";
import type { SessionPrompt } from "./session-outline.ts";
import type { HookSession } from "./use-hook-session.ts";

const LinkedTasks = lazyPart(() => import("../tasks/linked-tasks.tsx"));

interface SessionOverviewProps {
  readonly session: HookSession;
  readonly prompts: readonly SessionPrompt[];
  readonly onEvent: (eventId: string) => void;
}

/** Details of a session other than its events. */
export function SessionOverview({ session, prompts, onEvent }: SessionOverviewProps) {
  const changed = prompts.filter(({ changes }) => changes !== null);
  return (
    <div
      role="region"
      aria-label="Overview"
      tabIndex={0}
      className="flex min-w-0 flex-col gap-6 overflow-y-auto p-5 max-[1179px]:flex-1 min-[1180px]:w-100 min-[1180px]:shrink-0 min-[1180px]:border-l min-[1180px]:border-border"
    >
      <SessionFacts session={session} />
      <Suspense>
        <LinkedTasks kind="session" targetId={session.sessionId} className="-mx-2" />
      </Suspense>
      <BlockedCalls calls={session.blockedCalls} total={session.blockedEvents} onEvent={onEvent} />
      {changed.length > 0 && (
        <Section title="Turns that changed files" count={changed.length}>
          <SessionChanges sessionId={session.sessionId} prompts={changed} />
        </Section>
      )}
      {session.given.length > 0 && (
        <Section title="Memories it was given" count={session.given.length}>
          <GivenMemories given={session.given} />
        </Section>
      )}
      <Memories memories={session.memories} />
      {session.leftOut.length > 0 && (
        <Section title="Not learnt, as it had been forgotten" count={session.leftOut.length}>
          <LeftOutMemories sessionId={session.sessionId} leftOut={session.leftOut} />
        </Section>
      )}
      <Touched session={session} />
      <Usage usage={session.usage} />
    </div>
  );
}

function SessionFacts({ session }: { session: HookSession }) {
  const { data: [wait] = [] } = useQuery(waitsQuery(useClient(), session.sessionId));
  const { assistant, project, projectDir, startedAt, lastEventAt, hasEnded, totalEvents, blockedEvents } = session;
  const durationMs =
    startedAt === null || lastEventAt === null ? null : Date.parse(lastEventAt) - Date.parse(startedAt);
  return (
    <dl className="grid grid-cols-[88px_minmax(0,1fr)] gap-x-3 gap-y-2 text-13">
      <Fact name="State">
        <Badge tone={hasEnded ? "neutral" : "info"}>{hasEnded ? "Ended" : "Not ended"}</Badge>
      </Fact>
      {wait !== undefined && (
        <Fact name="Waits for">
          {wait.reason === "input" ? "the next prompt" : visibleText(wait.text)}, since{" "}
          <TimeAgo timestamp={wait.since} />
        </Fact>
      )}
      {assistant.name !== null && (
        <Fact name="Assistant">{[assistantName(assistant.name), assistant.version].filter(Boolean).join(" ")}</Fact>
      )}
      {assistant.models.length > 0 && (
        <Fact name={assistant.models.length === 1 ? "Model" : "Models"}>{assistant.models.join(", ")}</Fact>
      )}
      {project !== null && <Fact name="Project">{project}</Fact>}
      {projectDir !== null && projectDir !== project && <Fact name="Folder">{projectDir}</Fact>}
      {startedAt !== null && (
        <Fact name="Started">
          <TimeAgo timestamp={startedAt} />
        </Fact>
      )}
      {durationMs !== null && <Fact name="Lasted">{formatDuration(durationMs)}</Fact>}
      <Fact name="Events">
        {formatCount(totalEvents)}
        {blockedEvents > 0 && <span className="font-medium text-danger">, {formatCount(blockedEvents)} blocked</span>}
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="[overflow-wrap:anywhere] text-strong">{children}</dd>
    </>
  );
}

function Section({ title, count, children }: { title: string; count: number; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2 className="mb-2 flex items-baseline gap-2 text-13 font-semibold text-strong">
        {title}
        <span className="tabular font-normal text-muted">{formatCount(count)}</span>
      </h2>
      {children}
    </section>
  );
}

interface BlockedCallsProps {
  readonly calls: readonly HookEvent[];
  readonly total: number;
  readonly onEvent: (eventId: string) => void;
}

function BlockedCalls({ calls, total, onEvent }: BlockedCallsProps) {
  if (total === 0) return null;
  return (
    <Section title="Blocked calls" count={total}>
      <ul className="flex flex-col gap-2">
        {calls.map((call) => (
          <li key={call.id}>
            <button
              type="button"
              className="flex w-full flex-col gap-1 rounded-control border border-danger/30 bg-danger/8 p-3 text-left text-13"
              onClick={() => onEvent(call.id)}
            >
              <span className="flex items-center gap-2 font-medium text-danger">
                <ShieldX aria-hidden size={14} className="shrink-0" />
                {call.blockReason ?? "No reason was recorded"}
              </span>
              <span className="w-full truncate font-mono text-12 text-strong">
                {call.toolName === null ? HOOK_EVENT_LABELS[call.eventType] : toolLabel(call.toolName)}{" "}
                {summaryOf(call)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Memories({ memories }: { memories: HookSession["memories"] }) {
  if (memories.length === 0) return null;
  return (
    <Section title="Memories from it" count={memories.length}>
      <ul className="flex flex-col">
        {memories.map(({ id, chunkType, content }) => (
          <li key={id}>
            <Link
              to="/memory"
              search={memoryPanel(id)}
              className="-mx-2 flex gap-2 rounded-control px-2 py-1.5 text-13 text-strong hover:bg-hover"
            >
              <ChunkTypeIcon type={chunkType} hasName />
              <span className="line-clamp-2">{content}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Touched({ session: { tasks, documents } }: { session: HookSession }) {
  const openTask = useOpenTask();
  if (tasks.length + documents.length === 0) return null;
  return (
    <Section title="Tasks and documents it touched" count={tasks.length + documents.length}>
      <ul className="flex flex-col text-13">
        {tasks.map(({ id, title }) => (
          <li key={id}>
            <button
              type="button"
              className="-mx-2 flex w-[calc(100%+16px)] items-center gap-2 rounded-control px-2 py-1.5 text-left text-strong hover:bg-hover"
              onClick={() => openTask(id)}
            >
              <CircleCheckBig aria-label="Task" size={16} className="shrink-0 text-muted" />
              <span className="truncate">{title}</span>
            </button>
          </li>
        ))}
        {documents.map(({ id, title, path }) => (
          <li key={id} className="flex items-center gap-2 py-1.5 text-strong">
            <FileText aria-label="Document" size={16} className="shrink-0 text-muted" />
            <span className="truncate" data-tooltip={path}>
              {title}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The assistant's own token usage, if it was imported. */
function Usage({ usage }: { usage: HookSession["usage"] }) {
  if (usage === null) return null;
  const { messages, inputTokens, outputTokens, cacheCreationInputTokens, cacheReadInputTokens, costUsd } = usage;
  return (
    <Section title="Tokens in responses" count={messages}>
      <dl className="grid grid-cols-[120px_minmax(0,1fr)] gap-x-3 gap-y-1.5 text-13">
        <Fact name="Input">{formatTokens(inputTokens)}</Fact>
        <Fact name="Read from cache">{formatTokens(cacheReadInputTokens)}</Fact>
        <Fact name="Written to cache">{formatTokens(cacheCreationInputTokens)}</Fact>
        <Fact name="Output">{formatTokens(outputTokens)}</Fact>
        {costUsd !== null && <Fact name="Cost">{formatMoney(costUsd)}</Fact>}
      </dl>
    </Section>
  );
}
