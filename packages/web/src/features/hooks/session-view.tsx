import { useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { ErrorState } from "../../components/states.tsx";
import { type ListCursor, useListCursor } from "../../lists/use-list-cursor.ts";
import { useListShortcuts } from "../../lists/use-list-shortcuts.ts";
import { useRememberedScroll } from "../shell/remembered-scroll.ts";
import { givenByPrompt, learntByRow } from "./memory-places.ts";
import type { SessionOutline } from "./session-outline.ts";
import { SessionRowView } from "./session-row-view.tsx";
import { type CallFilter, promptOfTurn, runningRows, type SessionRow, sessionRows } from "./session-rows.ts";
import { STEPS_PER_PAGE, type StepPage, useSessionSteps } from "./session-steps.ts";
import { isAtWork, useSessionActivity, useUnfolded } from "./session-view-state.ts";
import { useSessionKeys } from "./use-session-keys.ts";
import type { HookSession } from "./use-hook-session.ts";

const LABEL = "Steps of the session";
const OVERSCAN_ROWS = 10;
const ROW_PX: Readonly<Record<SessionRow["kind"], number>> = {
  prompt: 92,
  step: 34,
  pending: 40,
  given: 34,
  changes: 120,
};

interface SessionViewProps {
  readonly outline: SessionOutline;
  /** Undefined while it is being loaded. */
  readonly session: HookSession | undefined;
  readonly sessionId: string;
  /** The turn of the transcript to show first. */
  readonly target: number | undefined;
  readonly filter: CallFilter;
}

/** A session as one reads it: its prompts, below each what was said and done for it, as far as it is unfolded. */
export function SessionView({ outline, session, sessionId, target, filter }: SessionViewProps) {
  const { prompts, isComplete } = outline;
  const scrollRef = useRef<HTMLDivElement>(null);
  const { initialOffset, remember } = useRememberedScroll(LABEL);
  const hasEnded = session?.hasEnded === true;
  const targetPrompt = target === undefined ? undefined : promptOfTurn(prompts, target);
  const { unfolded, toggle, set } = useUnfolded(() => unfoldedAtFirst(prompts, targetPrompt?.id));
  const [wanted, setWanted] = useState<readonly StepPage[]>(() => pagesBefore(targetPrompt, target));
  const steps = useSessionSteps(sessionId, prompts, wanted);
  const given = useMemo(() => givenByPrompt(prompts, session?.given ?? []), [prompts, session?.given]);
  const rows = useMemo(
    () =>
      sessionRows(prompts, { isUnfolded: (id) => unfolded.has(id), steps, filter, hasGiven: (id) => given.has(id) }),
    [prompts, unfolded, steps, filter, given],
  );
  const learnt = useMemo(() => learntByRow(rows, session?.memories ?? []), [rows, session?.memories]);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scrollRef.current,
    estimateSize: (index) => ROW_PX[rows[index]?.kind ?? "step"],
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: OVERSCAN_ROWS,
    initialOffset: target === undefined ? initialOffset : 0,
  });
  const ids = useMemo(() => rows.map(({ id }) => id), [rows]);
  const cursor = useListCursor(ids, { open: toggle, isPanelOpen: false });
  useListShortcuts(cursor, {});
  useSessionKeys({ rows, cursor, unfolded, set, toggle });

  const shown = virtualizer.getVirtualItems();
  useScrollToCursor(virtualizer, cursor, ids);
  useMissingPages(
    shown.flatMap(({ index }) => rows[index] ?? []),
    setWanted,
  );
  const targetId = useTarget(virtualizer, cursor, { rows, target, prompt: targetPrompt });
  const activity = useSessionActivity(sessionId, prompts, hasEnded);
  useFollowedEnd(scrollRef, target === undefined && activity !== undefined);

  const numbers = useMemo(() => numbersOf(prompts), [prompts]);
  const stepsOf = useCallback(
    (promptId: string) => rows.flatMap((row) => (row.kind === "step" && row.prompt.id === promptId ? [row.step] : [])),
    [rows],
  );
  const lastPrompt = prompts.at(-1)?.id;
  const running = useMemo(() => runningRows(rows), [rows]);
  if (steps.error !== null) {
    return <ErrorState title="The session could not be loaded" error={steps.error} onRetry={steps.retry} />;
  }
  return (
    <div
      ref={scrollRef}
      className="min-h-0 min-w-0 flex-1 overflow-y-auto overscroll-contain pb-20 [contain:strict]"
      onScroll={(event) => remember(event.currentTarget.scrollTop)}
    >
      <div role="feed" aria-label={LABEL} className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {shown.map(({ key, index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <div
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start}px)` }}
            >
              <SessionRowView
                row={row}
                place={{
                  rowId: row.id,
                  position: index + 1,
                  count: rows.length,
                  cursor,
                  isTarget: row.id === targetId,
                }}
                sessionId={sessionId}
                number={numbers.get(row.prompt.id)}
                promptText={promptTextOf(steps.pageOf(row.prompt.id, 0))}
                isUnfolded={unfolded.has(row.id)}
                activity={row.prompt.id === lastPrompt ? activity : undefined}
                isRunning={activity === "work" && row.prompt.id === lastPrompt && running.has(row.id)}
                learnt={learnt.get(row.id) ?? []}
                given={given.get(row.prompt.id) ?? []}
                root={session?.projectDir ?? null}
                stepsOf={stepsOf}
              />
            </div>
          );
        })}
      </div>
      {!isComplete && (
        <p className="px-4 py-3 text-13 text-muted">The session went on; the rest was too long to keep.</p>
      )}
    </div>
  );
}

interface Scroller {
  scrollToIndex(index: number, options: { align: "auto" | "center" }): void;
}

/** Keeps the row that the keyboard has reached visible. */
function useScrollToCursor(
  virtualizer: Scroller,
  { cursorId, focusRequest }: ListCursor,
  ids: readonly string[],
): void {
  useEffect(() => {
    const index = focusRequest > 0 && cursorId !== null ? ids.indexOf(cursorId) : -1;
    if (index !== -1) virtualizer.scrollToIndex(index, { align: "auto" });
    // Rows that appear are no reason to scroll.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [virtualizer, cursorId, focusRequest]);
}

/** Has the pages loaded that are in view. */
function useMissingPages(
  shown: readonly SessionRow[],
  setWanted: (change: (before: readonly StepPage[]) => readonly StepPage[]) => void,
): void {
  const missing = shown.filter(({ kind }) => kind === "pending");
  const key = missing.map(({ id }) => id).join(" ");
  useEffect(() => {
    if (missing.length > 0) setWanted((before) => withPages(before, missing));
    // oxlint-disable-next-line react/exhaustive-deps
  }, [key]);
}

interface Target {
  readonly rows: readonly SessionRow[];
  readonly target: number | undefined;
  readonly prompt: SessionOutline["prompts"][number] | undefined;
}

/** Shows the row of the turn that the page was opened for once it is loaded, and returns its id. */
function useTarget(
  virtualizer: Scroller,
  { actions }: ListCursor,
  { rows, target, prompt }: Target,
): string | undefined {
  const row = target === undefined ? undefined : rowOfTurn(rows, target);
  const id = row?.kind === "step" || target === prompt?.turns?.first ? row?.id : undefined;
  useEffect(() => {
    if (id === undefined) return;
    actions.touch(id);
    virtualizer.scrollToIndex(
      rows.findIndex((other) => other.id === id),
      { align: "center" },
    );
    // oxlint-disable-next-line react/exhaustive-deps
  }, [virtualizer, actions, target, id]);
  return id;
}

/** The prompt that the page was opened for, the only one, and the one that the assistant is at work on. */
function unfoldedAtFirst(prompts: SessionOutline["prompts"], targetId: string | undefined): readonly string[] {
  const last = prompts.at(-1);
  if (targetId !== undefined) return [targetId];
  return last !== undefined && (prompts.length === 1 || isAtWork(prompts)) ? [last.id] : [];
}

/** The pages up to a turn, since a prompt has as many steps as turns, or fewer, and some of subagents. */
function pagesBefore(prompt: SessionOutline["prompts"][number] | undefined, target = 0): readonly StepPage[] {
  if (prompt?.turns == null) return [];
  const count = Math.floor((target - prompt.turns.first) / STEPS_PER_PAGE) + 1;
  return Array.from({ length: count }, (_, page) => ({ promptId: prompt.id, page }));
}

function withPages(known: readonly StepPage[], missing: readonly SessionRow[]): readonly StepPage[] {
  const isKnown = ({ promptId, page }: StepPage) =>
    known.some((other) => other.promptId === promptId && other.page === page);
  const added = missing
    .flatMap((row) => (row.kind === "pending" ? [{ promptId: row.prompt.id, page: row.page }] : []))
    .filter((page) => !isKnown(page));
  return added.length === 0 ? known : [...known, ...added];
}

/** The step in which a turn is: the output of a call is a turn of its own. */
function rowOfTurn(rows: readonly SessionRow[], turn: number): SessionRow | undefined {
  return (
    rows.findLast(({ kind, ...row }) => kind === "step" && "step" in row && isUpTo(row.step.position, turn)) ??
    rows.findLast(({ kind, prompt }) => kind === "prompt" && isUpTo(prompt.turns?.first ?? null, turn))
  );
}

function isUpTo(position: number | null, turn: number): boolean {
  return position !== null && position <= turn;
}

function promptTextOf(steps: readonly { readonly kind: string; readonly text: string | null }[] | undefined) {
  const said = steps?.flatMap(({ kind, text }) => (kind === "prompt" && text !== null ? [text] : []));
  return said === undefined || said.length === 0 ? undefined : said.join("\n\n");
}

function numbersOf(prompts: SessionOutline["prompts"]): ReadonlyMap<string, number> {
  return new Map(prompts.filter(({ text }) => text !== null).map(({ id }, index) => [id, index + 1]));
}

/** Keeps the end in view while the assistant goes on, if it was in view. */
function useFollowedEnd(ref: { readonly current: HTMLElement | null }, isFollowing: boolean): void {
  const wasAtEnd = useRef(true);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const onScroll = () => {
      wasAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 120;
    };
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => element.removeEventListener("scroll", onScroll);
  }, [ref]);
  // Rows that have just been rendered are measured, and change their height.
  useEffect(() => {
    const content = ref.current?.firstElementChild;
    if (!isFollowing || content == null) return undefined;
    const observer = new ResizeObserver(() => {
      if (wasAtEnd.current) ref.current?.scrollTo({ top: ref.current.scrollHeight });
    });
    observer.observe(content);
    return () => observer.disconnect();
  }, [ref, isFollowing]);
}
