import { clsx } from "clsx";
import { X } from "lucide-react";
import { Suspense, useState, type ReactNode } from "react";
import { PHONE, useMediaQuery, WIDE } from "../../browser/use-media-query.ts";
import { IconButton } from "../../components/button.tsx";
import { Segmented } from "../../components/segmented.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { DocumentLinks } from "./links/document-links.tsx";
import { DocumentProperties } from "./properties/document-properties.tsx";
import type { DocumentSession } from "./session/document-session.ts";
import { kindOf, type Document, type OpenDocument } from "./document.ts";
import type { NoteNavigator } from "./outline/note-navigator.ts";

const Outline = lazyPart(() => import("./outline/outline.tsx"));
const VersionList = lazyPart(async () => ({ default: (await import("./versions/version-list.tsx")).VersionList }));

type Tab = "outline" | "properties" | "links" | "versions";

interface PanelFrameProps {
  /** Whether the document shares the page with another one. */
  readonly isNarrow?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The panel's position: beside the document, floating above it if there is no room, or instead of it on a phone. */
export function PanelFrame({ isNarrow = false, onClose, children }: PanelFrameProps) {
  const isPhone = useMediaQuery(PHONE);
  const isWide = useMediaQuery(WIDE) && !isNarrow;
  useShortcut("back", onClose, { isEnabled: !isWide });
  return (
    <aside
      aria-label="Document details"
      className={clsx(
        "flex flex-col bg-surface",
        isPhone && "animate-slide absolute inset-0 z-30",
        !isPhone && !isWide && "animate-slide absolute inset-y-0 right-0 z-30 w-92 max-w-full shadow-float",
        !isPhone && isWide && "w-92 shrink-0 border-l border-border",
      )}
    >
      {children}
    </aside>
  );
}

interface DocumentPanelProps {
  readonly document: Document;
  readonly metadata: OpenDocument["metadata"];
  /** Who wrote the content, if that is known. */
  readonly author: OpenDocument["author"];
  /** The session of a text; null for files that are not edited here. */
  readonly session: DocumentSession | null;
  readonly navigator: NoteNavigator;
  /** How often the outline was called by its shortcut, which takes the focus to it. */
  readonly outlineCalls: number;
  readonly versionId: string | null;
  readonly onShowVersion: (id: string | null) => void;
  readonly onClose: () => void;
}

/** Details of a document: its properties, its links in both directions, and its earlier versions. */
export function DocumentPanel(props: DocumentPanelProps) {
  const { document, metadata, author, session, navigator, outlineCalls, versionId, onShowVersion, onClose } = props;
  const isPhone = useMediaQuery(PHONE);
  const hasOutline = kindOf(document) === "markdown";
  const [tab, setTab] = useState<Tab>(versionId === null ? "properties" : "versions");
  const [shownCalls, setShownCalls] = useState(0);
  const show = (next: Tab) => {
    setTab(next);
    if (next !== "versions") onShowVersion(null);
  };
  if (outlineCalls !== shownCalls) {
    setShownCalls(outlineCalls);
    show("outline");
  }
  return (
    <>
      <div className="flex h-11 shrink-0 items-center gap-1 border-b border-border px-2 max-md:h-13">
        <div className="min-w-0 flex-1">
          <Segmented
            label="What to show"
            value={tab}
            hasWords
            options={[
              ...(hasOutline ? [{ value: "outline" as const, label: "Outline", icon: null }] : []),
              { value: "properties", label: "Properties", icon: null },
              { value: "links", label: "Links", icon: null },
              { value: "versions", label: "Versions", icon: null },
            ]}
            onChange={show}
          />
        </div>
        <IconButton label="Close" size="small" icon={<X size={16} />} onClick={onClose} />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
        {tab === "outline" && (
          <Suspense>
            <Outline
              session={session}
              navigator={navigator}
              calls={outlineCalls}
              {...(isPhone && { onChosen: onClose })}
            />
          </Suspense>
        )}
        {tab === "properties" && <DocumentProperties document={document} metadata={metadata} session={session} />}
        {tab === "links" && <DocumentLinks document={document} />}
        {tab === "versions" && (
          <Suspense>
            <VersionList document={document} author={author} shownId={versionId} onShow={onShowVersion} />
          </Suspense>
        )}
      </div>
    </>
  );
}
