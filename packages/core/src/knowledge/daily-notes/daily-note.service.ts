import type { Db } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { ConflictError } from "../../platform/errors.ts";
import type { Author } from "../../platform/procedures/author.ts";
import type { Principal } from "../../platform/procedures/principal.ts";
import { dayIn } from "../../platform/time-zone.ts";
import type { DocumentService } from "../documents/document.service.ts";
import { parsePathFor } from "../documents/key-folder.ts";
import { selectActiveDocument } from "../file-records/document.queries.ts";
import type { VaultService } from "../file-system/vault.service.ts";
import { withoutMarkdownExtension } from "../markdown/file-type.ts";
import type { NoteService } from "../notes/note.service.ts";
import { parseVaultPath, type VaultPath } from "../vault/vault-path.ts";
import { dayNamesPattern, readDay, writeDay } from "./day-name.ts";
import { selectNotesLike } from "./daily-note.queries.ts";
import type {
  AppendedToDay,
  AppendToDay,
  CreatedDailyNote,
  DailyNote,
  DailyNoteInput,
  NoteOfDay,
} from "./daily-note.schema.ts";
import { createKeyedAppend } from "./keyed-append.ts";
import type { NewDay, NoteTemplates } from "./note-templates.ts";
import type { NoteSettings } from "./note-settings.schema.ts";
import type { NoteSettingsService } from "./note-settings.service.ts";

export interface DailyNoteServiceDeps extends Deps<"db" | "clock"> {
  readonly vault: Pick<VaultService, "read">;
  readonly documents: Pick<DocumentService, "openByPath">;
  readonly notes: Pick<NoteService, "create" | "append" | "read">;
  readonly noteSettings: Pick<NoteSettingsService, "get">;
  readonly noteTemplates: NoteTemplates;
  /** The server's time zone, for callers that name none. */
  readonly timeZone: string;
}

export type DailyNoteService = ReturnType<typeof createDailyNoteService>;

/** Notes of days. A note is only created when somebody writes to it or asks for it. */
export function createDailyNoteService(deps: DailyNoteServiceDeps) {
  const { db, clock, vault, documents, notes, noteSettings, noteTemplates, timeZone } = deps;
  const appendOnce = createKeyedAppend(deps);

  async function findDay({ date, timezone }: DailyNoteInput): Promise<NewDay> {
    const settings = await noteSettings.get();
    const day = date ?? dayIn(timezone ?? timeZone, clock.now());
    return { date: day, path: pathOfDay(settings, day), settings };
  }

  /** Creates the note of a day unless there is one. Returns where its template puts the caret; undefined if it existed. */
  async function ensure(
    day: NewDay,
    timezone: string | undefined,
    principal: Principal,
    author: Author,
  ): Promise<{ cursor: number | null } | undefined> {
    if ((await selectActiveDocument(db.pool, day.path)) !== null) return undefined;
    const { content, cursor } = await noteTemplates.fillDay(day, timezone, author);
    try {
      await notes.create({ path: day.path, content }, principal, author);
      return { cursor };
    } catch (error) {
      if (error instanceof ConflictError) return undefined;
      throw error;
    }
  }

  return {
    /** The note of a day, or what it would begin with, and the daily notes around it. */
    async get(input: DailyNoteInput, author: Author): Promise<DailyNote> {
      const day = await findDay(input);
      const { date, path } = day;
      const all = await listDays(db, day.settings);
      const document = await selectActiveDocument(db.pool, path);
      const begins = document === null ? (await noteTemplates.fillDay(day, input.timezone, author)).body : null;
      return {
        date,
        path,
        id: document?.id ?? null,
        begins,
        previous: all.findLast((other) => other.date < date) ?? null,
        next: all.find((other) => other.date > date) ?? null,
        ofMonth: all.filter((other) => other.date.slice(0, 7) === date.slice(0, 7)),
      };
    },

    /** Creates the note of a day from its template, unless there is one. */
    async create(input: DailyNoteInput, principal: Principal, author: Author): Promise<CreatedDailyNote> {
      const day = await findDay(input);
      const { date, path } = day;
      parsePathFor(principal, path);
      const created = await ensure(day, input.timezone, principal, author);
      const { document } = await documents.openByPath(path, principal.userId);
      return { date, path, id: document.id, isNew: created !== undefined, cursor: created?.cursor ?? null };
    },

    /**
     * Adds text at the end of the note of a day, which is created if there is none. With a key, only once. Throws
     * ForbiddenError if the note is outside the folder to which the caller's access is limited, and {@link ConflictError} if the
     * key was used for another text.
     */
    async append(input: AppendToDay, principal: Principal, author: Author): Promise<AppendedToDay> {
      const { text, key, timezone } = input;
      const day = await findDay(input);
      const { date, path } = day;
      parsePathFor(principal, path);
      const write = async (beforeWrite?: (content: string) => Promise<void>) => {
        await ensure(day, timezone, principal, author);
        return notes.append({ path, text }, principal, author, beforeWrite);
      };
      const by = { userId: principal.userId, key: key ?? "" };
      const changed = key === undefined ? await write() : await appendOnce(by, { path, text, write });
      if (changed !== null) return { ...changed, date, isRepeated: false };
      const { contentHash, modifiedAt } = await vault.read(path);
      return { path, contentHash, modifiedAt, date, isRepeated: true };
    },
  };
}

/** All daily notes, by day. */
async function listDays(db: Db, { dailyFolder, dailyName }: NoteSettings): Promise<NoteOfDay[]> {
  const start = dailyFolder === "" ? "" : `${dailyFolder}/`;
  const pattern = dayNamesPattern(dailyName).replace(/\$$/, String.raw`\.md$`);
  const found = await selectNotesLike(db.pool, start, pattern);
  const days = found.flatMap(({ id, path }) => {
    const date = readDay(dailyName, withoutMarkdownExtension(path.slice(start.length)));
    return date === null ? [] : [{ date, id, path }];
  });
  return days.toSorted((one, other) => (one.date < other.date ? -1 : 1));
}

function pathOfDay({ dailyFolder, dailyName }: NoteSettings, date: string): VaultPath {
  return parseVaultPath(`${dailyFolder}/${writeDay(dailyName, date)}.md`.replace(/^\/+/, ""));
}
