import { BookMarked, Info, Lightbulb, ListTree, Repeat2, Scale, type LucideIcon } from "lucide-react";
import { CHUNK_TYPE_LABELS, type ChunkType } from "./memory.ts";

const ICONS: Readonly<Record<ChunkType, LucideIcon>> = {
  decision: Scale,
  fact: Info,
  solution: Lightbulb,
  pattern: Repeat2,
  preference: BookMarked,
  summary: ListTree,
};

interface ChunkTypeIconProps {
  readonly type: ChunkType;
  /** Whether the icon is labelled, because the type is not written beside it. */
  readonly hasName?: boolean;
}

export function ChunkTypeIcon({ type, hasName = false }: ChunkTypeIconProps) {
  const Icon = ICONS[type];
  return hasName ? (
    <Icon role="img" aria-label={CHUNK_TYPE_LABELS[type]} size={16} className="shrink-0 text-muted" />
  ) : (
    <Icon aria-hidden size={16} className="shrink-0 text-muted" />
  );
}
