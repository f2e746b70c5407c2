import { createDailyNoteService, type DailyNoteServiceDeps } from "./knowledge/daily-notes/daily-note.service.ts";
import { createNoteSettingsService } from "./knowledge/daily-notes/note-settings.service.ts";
import { createNoteTemplates } from "./knowledge/daily-notes/note-templates.ts";
import { createKnowledgeService, type KnowledgeServiceDeps } from "./knowledge/documents/knowledge.service.ts";
import { createNoteImportService, type NoteImportServiceDeps } from "./knowledge/note-import/note-import.service.ts";
import { createNoteService, type NoteServiceDeps } from "./knowledge/notes/note.service.ts";
import { createQueryService, type QueryServiceDeps } from "./knowledge/queries/query.service.ts";

export type NoteServicesDeps = KnowledgeServiceDeps &
  NoteServiceDeps &
  NoteImportServiceDeps &
  QueryServiceDeps &
  Omit<DailyNoteServiceDeps, "notes" | "noteSettings" | "noteTemplates">;

/** Builds the services of what documents hold as notes. */
export function createNoteServices(deps: NoteServicesDeps) {
  const notes = createNoteService(deps);
  const noteSettings = createNoteSettingsService(deps);
  const noteTemplates = createNoteTemplates(deps);
  return {
    knowledge: createKnowledgeService(deps),
    noteImport: createNoteImportService(deps),
    queries: createQueryService(deps),
    notes,
    noteSettings,
    noteTemplates,
    dailyNotes: createDailyNoteService({ ...deps, notes, noteSettings, noteTemplates }),
  };
}
