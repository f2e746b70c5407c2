import { Suspense, useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from "react";
import { readStored, writeStored } from "../../../browser/stored-value.ts";
import { lazyPart } from "../../../components/lazy-part.tsx";
import { useShortcut } from "../../../shortcuts/use-shortcut.ts";
import type { Beside } from "../document-url.ts";
import type { Vault } from "../vault/vault-store.ts";

const BesidePane = lazyPart(() => import("./beside-pane.tsx"));

const KEY = "documents.beside-share";
const [MIN, MAX, MIDDLE, STEP] = [25, 75, 50, 5];

interface PanesProps {
  readonly mainId: string;
  readonly beside: Beside;
  readonly vault: Vault;
  /** Renders the first pane; shortcuts are for the pane with the focus. */
  readonly main: (isActive: boolean) => ReactNode;
}

/** Two panes with a divider between them. */
export function Panes({ mainId, beside, vault, main }: PanesProps) {
  const ref = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<"main" | "beside">("main");
  const [share, setShare] = useState(() => clamp(Number(readStored(KEY) ?? MIDDLE)));
  const resize = (next: number) => {
    setShare(clamp(next));
    writeStored(KEY, String(clamp(next)));
  };
  const focusOther = () => focusPane(ref.current, active === "main" ? "beside" : "main");
  useShortcut("otherPane", focusOther);
  return (
    <div
      ref={ref}
      role="group"
      aria-label="Panes"
      className="flex min-h-0 min-w-0 flex-1"
      onKeyDown={(event) => {
        // Text fields keep their keys, so this one does not reach the shortcuts from there.
        if (event.key !== "F6" || event.defaultPrevented) return;
        event.preventDefault();
        focusOther();
      }}
    >
      <div
        data-pane="main"
        style={{ width: `${share}%` }}
        className="relative flex min-w-0 shrink-0"
        onFocusCapture={() => setActive("main")}
        onPointerDownCapture={() => setActive("main")}
      >
        {main(active === "main")}
      </div>
      <Divider share={share} onResize={resize} />
      <section
        data-pane="beside"
        aria-label="Beside the note"
        className="relative flex min-w-0 flex-1"
        onFocusCapture={() => setActive("beside")}
        onPointerDownCapture={() => setActive("beside")}
      >
        <Suspense>
          <BesidePane mainId={mainId} beside={beside} vault={vault} isActive={active === "beside"} />
        </Suspense>
      </section>
    </div>
  );
}

function focusPane(panes: HTMLElement | null, name: "main" | "beside"): void {
  const pane = panes?.querySelector(`[data-pane=${name}]`);
  const target = pane?.querySelector<HTMLElement>(".cm-content, [role=document]") ?? pane?.querySelector("button");
  if (target === undefined || target === null) return;
  if (target.matches("[role=document]")) target.tabIndex = -1;
  target.focus();
}

function Divider({ share, onResize }: { share: number; onResize: (share: number) => void }) {
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    event.preventDefault();
    const handle = event.currentTarget;
    const area = handle.parentElement?.getBoundingClientRect();
    if (area === undefined) return;
    handle.setPointerCapture(event.pointerId);
    const move = (moved: globalThis.PointerEvent) => onResize(((moved.clientX - area.left) / area.width) * 100);
    handle.addEventListener("pointermove", move);
    handle.addEventListener("lostpointercapture", () => handle.removeEventListener("pointermove", move), {
      once: true,
    });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = event.key === "ArrowRight" ? STEP : event.key === "ArrowLeft" ? -STEP : 0;
    if (step === 0) return;
    event.preventDefault();
    event.stopPropagation();
    onResize(share + step);
  };
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the panes"
      aria-valuenow={Math.round(share)}
      aria-valuemin={MIN}
      aria-valuemax={MAX}
      tabIndex={0}
      className="relative z-10 w-px shrink-0 cursor-col-resize touch-none bg-border before:absolute before:inset-y-0 before:-left-1 before:w-2 hover:before:bg-accent/20 active:before:bg-accent/30"
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
      onDoubleClick={() => onResize(MIDDLE)}
    />
  );
}

function clamp(share: number): number {
  return Number.isFinite(share) ? Math.min(Math.max(share, MIN), MAX) : MIDDLE;
}
