import { useRef, type PointerEvent } from "react";

export const LONG_PRESS_MS = 450;
export const MAX_MOVE_PX = 8;

export interface LongPress {
  readonly handlers: {
    onPointerDown(event: PointerEvent): void;
    onPointerMove(event: PointerEvent): void;
    onPointerUp(): void;
    onPointerCancel(): void;
  };
  /** Whether the press that just ended was a long one, so that its click must be ignored. */
  wasLong(): boolean;
}

/** Calls back on a long press by touch. A mouse has other means and is ignored. */
export function useLongPress(onLongPress: () => void): LongPress {
  const press = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number } | null>(null);
  const isLong = useRef(false);
  const cancel = () => {
    if (press.current !== null) clearTimeout(press.current.timer);
    press.current = null;
  };
  return {
    handlers: {
      onPointerDown: (event) => {
        cancel();
        isLong.current = false;
        if (event.pointerType !== "touch") return;
        const timer = setTimeout(() => {
          isLong.current = true;
          onLongPress();
        }, LONG_PRESS_MS);
        press.current = { timer, x: event.clientX, y: event.clientY };
      },
      onPointerMove: ({ clientX, clientY }) => {
        const start = press.current;
        if (start !== null && Math.hypot(clientX - start.x, clientY - start.y) > MAX_MOVE_PX) cancel();
      },
      onPointerUp: cancel,
      onPointerCancel: cancel,
    },
    wasLong: () => isLong.current,
  };
}
