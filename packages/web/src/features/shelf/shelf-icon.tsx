import { SquareTerminal } from "lucide-react";
import { ProjectDot } from "../../components/project-dot.tsx";
import { RESOURCES } from "../../resources/resources.ts";
import { isMarkdownPath } from "../documents/document.ts";
import { FileIcon } from "../documents/files/file-icon.tsx";
import type { ShelfItem } from "./shelf.ts";

/** How the kinds of items are called. */
export function shelfLabel({ kind }: ShelfItem): string {
  return kind === "session" ? "Session" : RESOURCES[kind].label;
}

export function ShelfIcon({ item: { kind, path, color } }: { readonly item: ShelfItem }) {
  if (kind === "document" && path !== undefined)
    return <FileIcon file={{ path, fileType: isMarkdownPath(path) ? "markdown" : "binary" }} />;
  if (kind === "project") return <ProjectDot color={color ?? "#888888"} />;
  const Icon = kind === "session" ? SquareTerminal : RESOURCES[kind].icon;
  return <Icon aria-hidden size={16} />;
}
