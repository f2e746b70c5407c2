import { File, FileImage, FilePlay, FileText, FileType, NotebookText, type LucideIcon } from "lucide-react";
import { kindOf, type Document, type FileKind } from "../document.ts";

const ICONS: Readonly<Record<FileKind, LucideIcon>> = {
  markdown: NotebookText,
  text: FileText,
  image: FileImage,
  media: FilePlay,
  pdf: FileType,
  other: File,
};

/** Shows the kind of a file; decorative, since the name says it too. */
export function FileIcon({
  file,
  size = 16,
}: {
  readonly file: Pick<Document, "path" | "fileType">;
  readonly size?: number;
}) {
  const Icon = ICONS[kindOf(file)];
  return <Icon aria-hidden size={size} className="shrink-0 text-muted" />;
}
