import { clsx } from "clsx";
import { ArrowLeft, X } from "lucide-react";
import { Suspense, useEffect, useRef, type ReactNode } from "react";
import { PHONE, useMediaQuery, WIDE } from "../../browser/use-media-query.ts";
import { IconButton } from "../../components/button.tsx";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import type { ItemPanel } from "./item-panel.ts";
import { PanelResizer, usePanelWidth } from "./panel-resizer.tsx";

interface SidePanelProps {
  readonly label: string;
  readonly children: ReactNode;
}

/** Details of the selected item: beside the page, floating above it if there is no room, or instead of it on a phone. */
export function SidePanel({ label, children }: SidePanelProps) {
  const isPhone = useMediaQuery(PHONE);
  const isWide = useMediaQuery(WIDE);
  const [width, setWidth] = usePanelWidth();
  return (
    <aside
      aria-label={label}
      style={isPhone ? undefined : { width }}
      className={clsx(
        "flex flex-col bg-surface",
        isPhone && "animate-slide absolute inset-0 z-30",
        !isPhone && !isWide && "animate-slide absolute inset-y-0 right-0 z-30 max-w-[92%] shadow-float",
        isWide && "relative shrink-0 border-l border-border",
      )}
    >
      {!isPhone && <PanelResizer width={width} onResize={setWidth} />}
      {children}
    </aside>
  );
}

interface PanelHeaderProps {
  readonly title: string;
  /** Buttons before the close button. */
  readonly children?: ReactNode;
  readonly onClose: () => void;
}

/** The header of a panel. On a phone the panel replaces the page, so its back button receives the focus. */
export function PanelHeader({ title, children, onClose }: PanelHeaderProps) {
  const isPhone = useMediaQuery(PHONE);
  const backRef = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isPhone) backRef.current?.focus();
  }, [isPhone]);
  return (
    <header className="flex h-13 shrink-0 items-center gap-1 border-b border-border px-2 md:pl-5">
      {isPhone && <IconButton ref={backRef} label="Back" icon={<ArrowLeft size={20} />} onClick={onClose} />}
      <span className="flex-1 text-13 font-medium text-muted">{title}</span>
      {children}
      {!isPhone && <IconButton label="Close" shortcut="back" icon={<X size={16} />} onClick={onClose} />}
    </header>
  );
}

interface PanelPageProps {
  /** The accessible name of the panel: "Secret". */
  readonly label: string;
  readonly panel: ItemPanel;
  readonly renderPanel: (id: string) => ReactNode;
  readonly children: ReactNode;
}

/** A page with a panel for its open item. */
export function PanelPage({ label, panel: { openId, close }, renderPanel, children }: PanelPageProps) {
  useShortcut("back", close, { isEnabled: openId !== undefined });
  return (
    <div className="flex min-h-0 flex-1">
      <div className="flex min-w-0 flex-1 flex-col">{children}</div>
      {openId !== undefined && (
        <SidePanel label={label}>
          <Suspense>{renderPanel(openId)}</Suspense>
        </SidePanel>
      )}
    </div>
  );
}
