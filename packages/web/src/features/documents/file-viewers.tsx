import { Download, ExternalLink, File } from "lucide-react";
import { useState } from "react";
import { EmptyState } from "../../components/states.tsx";
import { formatSize } from "../../numbers/number-format.ts";
import { downloadUrl, rawUrl, type Document } from "./document.ts";
import { nameOf } from "./vault/vault-path.ts";

const ACTION = "inline-flex h-(--control-height) items-center gap-1.5 rounded-control px-3 text-14 font-medium";

interface ViewerProps {
  readonly document: Document;
}

/** An image, scaled to fit; a click shows it at full size. */
export function ImageViewer({ document: { path, contentHash, title } }: ViewerProps) {
  const [isWhole, setIsWhole] = useState(true);
  const [isBroken, setIsBroken] = useState(false);
  if (isBroken) {
    return (
      <EmptyState icon={<File size={20} />} title="The image cannot be shown" action={<DownloadLink path={path} />}>
        The browser does not support it. You can download the file and open it elsewhere.
      </EmptyState>
    );
  }
  return (
    <div className="min-h-0 flex-1 overflow-auto bg-background">
      <button
        type="button"
        aria-label={isWhole ? "Show at full size" : "Fit to the window"}
        className={isWhole ? "flex size-full items-center justify-center p-6" : "min-h-full min-w-full p-6"}
        onClick={() => setIsWhole(!isWhole)}
      >
        <img
          src={rawUrl(path, contentHash)}
          alt={title}
          className={isWhole ? "max-h-full max-w-full object-contain" : "max-w-none"}
          onError={() => setIsBroken(true)}
        />
      </button>
    </div>
  );
}

/** A PDF in the browser's own viewer, if it has one. */
export function PdfViewer({ document }: ViewerProps) {
  const { path, contentHash, title } = document;
  if (!navigator.pdfViewerEnabled) return <BinaryViewer document={document} />;
  // oxlint-disable-next-line react/iframe-missing-sandbox -- The viewer does not work in a sandbox; the response's own policy restricts the file.
  return <iframe title={title} src={rawUrl(path, contentHash)} className="min-h-0 w-full flex-1 border-0" />;
}

/** Audio or video, with the browser's own controls. */
export function MediaViewer({ document: { path, contentHash, title } }: ViewerProps) {
  return (
    <div className="flex min-h-0 flex-1 items-center justify-center bg-background p-6">
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- The user's own file; it comes without captions. */}
      <video controls title={title} src={rawUrl(path, contentHash)} className="max-h-full w-full max-w-180" />
    </div>
  );
}

/** A file that only other programs can open. */
export function BinaryViewer({ document: { path, size } }: ViewerProps) {
  return (
    <div className="flex flex-1 flex-col justify-center">
      <EmptyState icon={<File size={20} />} title={nameOf(path)} action={<DownloadLink path={path} />}>
        {formatSize(size)}. There is no preview for this kind of file; another program can open it.
      </EmptyState>
    </div>
  );
}

function DownloadLink({ path }: { path: string }) {
  return (
    <span className="flex gap-2">
      <a href={downloadUrl(path)} className={`${ACTION} bg-accent text-on-accent hover:bg-accent-hover`}>
        <Download aria-hidden size={16} />
        Download
      </a>
      <a
        href={rawUrl(path)}
        target="_blank"
        rel="noopener"
        className={`${ACTION} border border-border bg-raised text-strong hover:bg-hover`}
      >
        <ExternalLink aria-hidden size={16} />
        Open in a new tab
      </a>
    </span>
  );
}
