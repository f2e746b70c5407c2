import { useState, type KeyboardEvent, type PointerEvent } from "react";
import { readStored, writeStored } from "../../../browser/stored-value.ts";

const KEY = "documents.pane-width";
const MIN_PX = 220;
const MAX_PX = 520;
const DEFAULT_PX = 300;
const STEP_PX = 24;

/** The width of the list of files in this browser, remembered. */
export function usePaneWidth(): [number, (width: number) => void] {
  const [width, setWidth] = useState(() => clamp(Number(readStored(KEY) ?? DEFAULT_PX)));
  const resize = (next: number) => {
    setWidth(clamp(next));
    writeStored(KEY, String(clamp(next)));
  };
  return [width, resize];
}

interface PaneResizerProps {
  readonly width: number;
  readonly onResize: (width: number) => void;
}

/** The right edge of the list of files: dragged, or moved with the arrow keys. */
export function PaneResizer({ width, onResize }: PaneResizerProps) {
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    event.preventDefault();
    const handle = event.currentTarget;
    const startX = event.clientX;
    handle.setPointerCapture(event.pointerId);
    const move = (moved: globalThis.PointerEvent) => onResize(width + moved.clientX - startX);
    const stop = () => handle.removeEventListener("pointermove", move);
    handle.addEventListener("pointermove", move);
    handle.addEventListener("lostpointercapture", stop, { once: true });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = event.key === "ArrowRight" ? STEP_PX : event.key === "ArrowLeft" ? -STEP_PX : 0;
    if (step === 0) return;
    event.preventDefault();
    event.stopPropagation();
    onResize(width + step);
  };
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the list of files"
      aria-valuenow={width}
      aria-valuemin={MIN_PX}
      aria-valuemax={MAX_PX}
      tabIndex={0}
      className="absolute inset-y-0 -right-1 z-10 w-2 cursor-col-resize touch-none transition-colors duration-120 hover:bg-accent/20 active:bg-accent/30"
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
      onDoubleClick={() => onResize(DEFAULT_PX)}
    />
  );
}

function clamp(width: number): number {
  return Number.isFinite(width) ? Math.min(Math.max(width, MIN_PX), MAX_PX) : DEFAULT_PX;
}
