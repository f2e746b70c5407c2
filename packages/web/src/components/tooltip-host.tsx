import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { SHORTCUTS } from "../shortcuts/shortcut-table.ts";
import { Kbd } from "./kbd.tsx";

const DELAY_MS = 450;
/** How long after a tooltip was shown the next one appears without delay. */
const WARM_MS = 400;
const GAP_PX = 6;
const EDGE_PX = 8;

interface Shown {
  readonly anchor: HTMLElement;
  readonly label: string;
  readonly keys: string | undefined;
}

/** Shows the tooltip of the element that is hovered or focused by keyboard. Mounted once. */
export function TooltipHost() {
  const [shown, setShown] = useState<Shown | null>(null);
  useEffect(() => followTooltips(setShown), []);
  return shown === null ? null : createPortal(<Tooltip {...shown} />, document.body);
}

function Tooltip({ anchor, label, keys }: Shown) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (ref.current !== null) place(ref.current, anchor.getBoundingClientRect());
  });
  return (
    <div
      ref={ref}
      role="tooltip"
      className="animate-fade pointer-events-none fixed top-0 left-0 z-70 flex max-w-80 items-center gap-2 rounded-control bg-raised px-2 py-1 text-12 text-strong shadow-float"
    >
      {label}
      {keys !== undefined && <Kbd keys={keys} />}
    </div>
  );
}

function place(element: HTMLElement, anchor: DOMRect): void {
  const { width, height } = element.getBoundingClientRect();
  const left = anchor.left + anchor.width / 2 - width / 2;
  const below = anchor.bottom + GAP_PX;
  const top = below + height + EDGE_PX > window.innerHeight ? anchor.top - GAP_PX - height : below;
  element.style.left = `${Math.min(Math.max(left, EDGE_PX), window.innerWidth - width - EDGE_PX)}px`;
  element.style.top = `${top}px`;
}

/** Calls back with the tooltip to show. Returns a function that stops it. */
function followTooltips(show: (shown: Shown | null) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let current: HTMLElement | null = null;
  let warmUntilMs = 0;
  let isTabbing = false;

  const hide = () => {
    clearTimeout(timer);
    if (current !== null) warmUntilMs = performance.now() + WARM_MS;
    current = null;
    show(null);
  };
  const showFor = (anchor: HTMLElement, delayMs: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const label = labelOf(anchor);
      if (!anchor.isConnected || label === undefined) return;
      current = anchor;
      show({ anchor, label, keys: anchor.dataset["tooltipKeys"] });
    }, delayMs);
  };
  const onOver = (event: PointerEvent) => {
    if (event.pointerType === "touch") return;
    const anchor = anchorOf(event.target);
    if (anchor === current && anchor !== null) return;
    const isWarm = current !== null || performance.now() < warmUntilMs;
    hide();
    if (anchor !== null) showFor(anchor, isWarm ? 0 : DELAY_MS);
  };
  const onFocus = (event: FocusEvent) => {
    const anchor = anchorOf(event.target);
    // Only if the user tabbed to it: a focus set by us, as in a dialog that opens, needs no explanation.
    if (isTabbing && anchor !== null && anchor === event.target) showFor(anchor, DELAY_MS);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    isTabbing = event.key === "Tab";
    hide();
  };

  const stop = new AbortController();
  const options = { signal: stop.signal, capture: true };
  document.addEventListener("pointerover", onOver, options);
  document.addEventListener("focusin", onFocus, options);
  document.addEventListener("keydown", onKeyDown, options);
  for (const type of ["pointerdown", "focusout", "scroll"]) document.addEventListener(type, hide, options);
  return () => {
    stop.abort();
    clearTimeout(timer);
  };
}

function anchorOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>("[data-tooltip], [data-tooltip-of]") : null;
}

/** Its own, or that of the shortcut that it stands for. */
function labelOf({ dataset }: HTMLElement): string | undefined {
  const shortcut = dataset["tooltipOf"];
  return dataset["tooltip"] ?? Object.entries(SHORTCUTS).find(([id]) => id === shortcut)?.[1].label;
}
