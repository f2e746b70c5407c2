import { clsx } from "clsx";
import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import type { Pausable } from "../../../browser/compute-in-slices.ts";
import { useInSlices } from "../../../browser/use-in-slices.ts";
import { useDebounced } from "../../palette/use-debounced.ts";
import type { DocumentSession } from "../session/document-session.ts";
import type { LazyText } from "../session/lazy-text.ts";
import { useSessionState } from "../session/use-session.ts";
import { headingsOf, type Heading } from "./headings.ts";
import type { NoteNavigator } from "./note-navigator.ts";

const DELAY_MS = 200;
const NONE: readonly Heading[] = [];

interface OutlineProps {
  readonly session: DocumentSession | null;
  readonly navigator: NoteNavigator;
  /** The focus goes to the current heading whenever this changes; it stays where it is for 0. */
  readonly calls?: number;
  /** Called after a heading was chosen. */
  readonly onChosen?: () => void;
}

/** The headings of a note. The one above the caret, or at the top of what is read, is marked. */
export default function Outline({ session, navigator, calls = 0, onChosen }: OutlineProps) {
  const text = useDebounced(useSessionState(session).text, DELAY_MS);
  const headings = useInSlices(headingsIn, text) ?? NONE;
  const current = useCurrentHeading(navigator, headings);
  const listRef = useRef<HTMLUListElement>(null);
  useEffect(() => {
    listRef.current?.querySelectorAll("button")[current]?.scrollIntoView({ block: "nearest" });
  }, [current]);
  const hasHeadings = headings.length > 0;
  useEffect(() => {
    if (calls > 0 && hasHeadings) listRef.current?.querySelector<HTMLElement>("[tabindex='0']")?.focus();
  }, [calls, hasHeadings]);
  if (!hasHeadings) {
    return (
      <p className="p-4 text-13 text-muted">Headings of the note appear here. Start a line with # to write one.</p>
    );
  }
  const lowest = Math.min(...headings.map(({ level }) => level));
  const tabStop = Math.max(current, 0);
  return (
    <ul ref={listRef} aria-label="Outline" className="flex flex-col p-2" onKeyDown={moveFocus}>
      {headings.map((heading, index) => (
        <li key={`${index} ${heading.text}`}>
          <button
            type="button"
            aria-current={index === current ? "location" : undefined}
            tabIndex={index === tabStop ? 0 : -1}
            style={{ paddingLeft: `${8 + (heading.level - lowest) * 14}px` }}
            className={clsx(
              "flex min-h-8 w-full items-center rounded-control py-1 pr-2 text-left text-13 hover:bg-hover touch:min-h-11",
              index === current ? "bg-pressed font-medium text-strong" : "text-normal",
            )}
            onClick={() => {
              navigator.show(heading, index);
              onChosen?.();
            }}
          >
            <span className="line-clamp-2 [overflow-wrap:anywhere]">{heading.text}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function headingsIn(text: LazyText): Pausable<Heading[]> {
  return headingsOf(text.toString());
}

function useCurrentHeading(navigator: NoteNavigator, headings: readonly Heading[]): number {
  const [current, setCurrent] = useState(-1);
  useEffect(() => {
    let frame = 0;
    const update = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => setCurrent(navigator.current(headings)));
    };
    update();
    const stop = navigator.onMoved(update);
    return () => {
      cancelAnimationFrame(frame);
      stop();
    };
  }, [navigator, headings]);
  return current;
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const at = buttons.findIndex((button) => button === document.activeElement);
  const targets: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 };
  const target = targets[event.key];
  if (target === undefined || at === -1) return;
  event.preventDefault();
  event.stopPropagation();
  buttons[Math.min(Math.max(target, 0), buttons.length - 1)]?.focus();
}
