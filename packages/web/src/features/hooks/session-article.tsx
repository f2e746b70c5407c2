import { clsx } from "clsx";
import { useRef, type MouseEvent, type ReactNode } from "react";
import { useFocusUnderCursor } from "../../lists/use-focus-under-cursor.ts";
import type { ListCursor } from "../../lists/use-list-cursor.ts";

/** Where a row is in the view of a session. */
export interface RowPlace {
  readonly rowId: string;
  /** From 1. */
  readonly position: number;
  readonly count: number;
  readonly cursor: ListCursor;
  /** Whether the page was opened to show this row. */
  readonly isTarget: boolean;
}

interface SessionArticleProps extends RowPlace {
  readonly label: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** One row of the view of a session. A click on what is no link, button or selected text folds or unfolds it, as Enter does. */
export function SessionArticle(props: SessionArticleProps) {
  const { rowId, position, count, cursor, isTarget, label, className, children } = props;
  const ref = useRef<HTMLElement>(null);
  const isCursor = cursor.cursorId === rowId;
  useFocusUnderCursor(ref, { isCursor, focusRequest: cursor.focusRequest, actions: cursor.actions });
  const onClick = ({ target }: MouseEvent) => {
    const isControl = target instanceof Element && target.closest("a, button, pre, [role=document]") !== null;
    if (!isControl && document.getSelection()?.isCollapsed !== false) cursor.actions.open(rowId);
  };
  return (
    <article
      ref={ref}
      aria-label={label}
      aria-posinset={position}
      aria-setsize={count}
      data-session-row={rowId}
      tabIndex={isCursor || (cursor.cursorId === null && position === 1) ? 0 : -1}
      className={clsx(
        "relative focus-visible:-outline-offset-2",
        isTarget && "bg-accent-soft",
        isCursor && "before:absolute before:inset-y-0 before:left-0 before:w-0.5 before:bg-accent-text",
        className,
      )}
      onFocus={() => cursor.actions.touch(rowId)}
      onClick={onClick}
    >
      {children}
    </article>
  );
}
