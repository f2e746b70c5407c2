import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, type ReactNode } from "react";
import { useRememberedScroll } from "../../shell/remembered-scroll.ts";
import type { FileDrop } from "./use-file-drop.ts";
import { VAULT_ROOT } from "../vault/vault-path.ts";

const OVERSCAN_ROWS = 12;

interface VirtualRowsProps {
  readonly label: string;
  readonly rows: readonly { readonly id: string; readonly path: string }[];
  readonly rowPx: number;
  readonly cursor: string | null;
  /** Incremented when the row under the cursor must get the focus. */
  readonly focusRequest: number;
  /** The document that is open, which is scrolled to when it is another one. */
  readonly openId: string | undefined;
  /** Whether all rows are loaded; until then, that document moves as others appear above it. */
  readonly isComplete: boolean;
  readonly drop: FileDrop;
  renderRow(index: number): ReactNode;
}

/** A virtual list of files that renders only the visible rows. */
export function VirtualRows({
  label,
  rows,
  rowPx,
  cursor,
  focusRequest,
  openId,
  isComplete,
  drop,
  renderRow,
}: VirtualRowsProps) {
  const scrollRef = useRef<HTMLDivElement>(null);
  const { initialOffset, remember } = useRememberedScroll(label);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scrollRef.current,
    estimateSize: () => rowPx,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: OVERSCAN_ROWS,
    initialOffset,
  });
  useEffect(() => virtualizer.measure(), [virtualizer, rowPx]);

  const handledRequest = useRef(focusRequest);
  useEffect(() => {
    if (handledRequest.current === focusRequest || cursor === null) return undefined;
    virtualizer.scrollToIndex(
      rows.findIndex(({ path }) => path === cursor),
      { align: "auto" },
    );
    // A row that was far away is rendered in the next frame at the earliest; if the rows change before, this starts again.
    const frame = requestAnimationFrame(() => {
      handledRequest.current = focusRequest;
      const row = scrollRef.current?.querySelector<HTMLElement>(`[data-path="${CSS.escape(cursor)}"]`);
      row?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [virtualizer, rows, cursor, focusRequest]);

  const openIndex = useMemo(() => rows.findIndex(({ id }) => id === openId), [rows, openId]);
  const reachedId = useRef<string>(undefined);
  useEffect(() => {
    if (openIndex === -1 || reachedId.current === openId) return;
    if (isComplete) reachedId.current = openId;
    virtualizer.scrollToIndex(openIndex, { align: "auto" });
  }, [virtualizer, openIndex, openId, isComplete]);

  return (
    <div
      ref={scrollRef}
      data-folder={VAULT_ROOT}
      className={`min-h-0 flex-1 overflow-y-auto overscroll-contain pt-1 pb-20 ${drop.over === VAULT_ROOT ? "bg-accent-soft" : ""}`}
      onScroll={(event) => remember(event.currentTarget.scrollTop)}
      {...drop.handlers}
    >
      <div
        role="tree"
        aria-label={label}
        aria-multiselectable
        className="relative"
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map(({ key, index, start, size }) => (
          <div
            key={key}
            role="presentation"
            className="absolute inset-x-0 top-0"
            style={{ height: size, transform: `translateY(${start}px)` }}
          >
            {renderRow(index)}
          </div>
        ))}
      </div>
    </div>
  );
}
