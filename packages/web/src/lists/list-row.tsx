import { clsx } from "clsx";
import { useRef, type MouseEvent, type ReactNode } from "react";
import { contextMenuPlace, isByTouch } from "../components/context-menu.ts";
import type { PopupAnchor } from "../components/floating.ts";
import { Checkbox } from "../components/checkbox.tsx";
import { tooltip } from "../components/tooltip.ts";
import { useFocusUnderCursor } from "./use-focus-under-cursor.ts";
import type { ListCursor } from "./use-list-cursor.ts";
import { useLongPress } from "./use-long-press.ts";

interface ListRowProps {
  readonly id: string;
  /** The name of the row, for its checkbox. */
  readonly name: string;
  readonly rowIndex: number;
  readonly cursor: ListCursor;
  readonly isOpen: boolean;
  readonly isSelectable?: boolean;
  /** Whether it is edited in place, with the focus in a field of the row. */
  readonly isEditing?: boolean;
  /** Opens the row's menu, on a right click and, unless that selects, on a long press. */
  readonly onMenu?: ((place: HTMLElement | PopupAnchor) => void) | undefined;
  readonly className?: string | undefined;
  /** Grid cells. */
  readonly children: ReactNode;
}

/** A row of a list, opened by a click or Enter and, if selectable, selected with `x` or a long press. */
export function ListRow(props: ListRowProps) {
  const {
    id,
    name,
    rowIndex,
    cursor,
    isOpen,
    isSelectable = false,
    isEditing = false,
    onMenu,
    className,
    children,
  } = props;
  const { actions } = cursor;
  const isCursor = cursor.cursorId === id;
  const isSelected = cursor.selectedIds.has(id);
  const isSelecting = isSelectable && cursor.selectedIds.size > 0;
  const ref = useRef<HTMLDivElement>(null);
  useFocusUnderCursor(ref, { isCursor: isCursor && !isEditing, focusRequest: cursor.focusRequest, actions });
  const longPress = useLongPress(() => {
    if (isSelectable) actions.toggle(id);
    else if (ref.current !== null) onMenu?.(ref.current);
  });
  const onContextMenu = (event: MouseEvent<HTMLElement>) => {
    if (onMenu === undefined) return;
    const place = contextMenuPlace(event);
    // A long press has done what it does.
    if (place !== null && !isByTouch(event)) onMenu(place);
  };
  const onClick = (event: MouseEvent) => {
    if (longPress.wasLong() && (isSelectable || onMenu !== undefined)) return;
    if (isSelectable && event.shiftKey) actions.selectTo(id);
    else if (isSelecting || (isSelectable && (event.metaKey || event.ctrlKey))) actions.toggle(id);
    else actions.open(id);
  };
  return (
    <div
      ref={ref}
      role="row"
      aria-rowindex={rowIndex}
      aria-selected={isSelectable ? isSelected : undefined}
      data-row-id={id}
      tabIndex={isCursor || (cursor.cursorId === null && rowIndex === 1) ? 0 : -1}
      className={clsx(
        "group relative flex h-full items-center gap-2 pr-4 pl-2 select-none focus-visible:-outline-offset-2",
        isSelected || isOpen ? "bg-accent-soft" : "hover:bg-hover",
        isCursor &&
          "before:absolute before:inset-y-0 before:left-0 before:w-0.5 before:bg-accent-text touch:before:hidden",
        className,
      )}
      onClick={onClick}
      onContextMenu={onContextMenu}
      onFocus={() => actions.touch(id)}
      {...longPress.handlers}
    >
      {isSelectable && (
        <div
          role="gridcell"
          className={clsx(
            "flex w-6 shrink-0 items-center justify-center",
            isSelecting ? "" : "opacity-0 group-hover:opacity-100 focus-within:opacity-100 touch:hidden",
            isCursor && "opacity-100",
          )}
        >
          <Checkbox
            label={`Select ${name}`}
            tabIndex={-1}
            checked={isSelected}
            onChange={() => actions.toggle(id)}
            onClick={(event) => event.stopPropagation()}
            {...tooltip("Select", "select")}
          />
        </div>
      )}
      {children}
    </div>
  );
}
