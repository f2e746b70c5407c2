import type { ImportFormat } from "../../../components/import-dialog.tsx";
import type { NoteFormat } from "./send-archive.ts";

/** The formats, and how one gets an archive in each. */
export const FORMATS: readonly ImportFormat<NoteFormat>[] = [
  {
    format: "auto",
    label: "Recognise it",
    hint: "Obsidian, Notion, Bear, basic-memory, another workspace or a folder of Markdown files.",
  },
  { format: "obsidian", label: "Obsidian", hint: "The folder of the vault as a ZIP archive. Settings are left out." },
  { format: "notion", label: "Notion", hint: "In the settings, export all content as “Markdown & CSV”, or as HTML." },
  { format: "bear", label: "Bear", hint: "Choose “Backup all notes”, or export notes as TextBundles." },
  { format: "basic-memory", label: "basic-memory", hint: "The folder of the project as a ZIP archive." },
  { format: "workspace", label: "Another workspace", hint: "Export it in its settings, under Backups." },
  { format: "markdown", label: "Markdown files", hint: "A folder of them as a ZIP archive." },
];

export function formatLabel(format: NoteFormat): string {
  return FORMATS.find((option) => option.format === format)?.label ?? format;
}

export function filesIn(count: number): string {
  return count === 1 ? "1 file" : `${count.toLocaleString("en")} files`;
}
