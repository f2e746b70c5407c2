import type { Deps } from "../../platform/deps.ts";
import { InvalidInputError, NotFoundError, TooLargeError } from "../../platform/errors.ts";
import type { Author } from "../../platform/procedures/author.ts";
import { wallClockIn } from "../../platform/time-zone.ts";
import type { VaultService } from "../file-system/vault.service.ts";
import { withoutMarkdownExtension } from "../markdown/file-type.ts";
import { nameOf, parentOf, parseVaultPath, type VaultPath } from "../vault/vault-path.ts";
import type { FillTemplate } from "./daily-note.schema.ts";
import { fillTemplate, type FilledTemplate } from "./note-template.ts";
import type { NoteSettings } from "./note-settings.schema.ts";
import { MAX_TEMPLATE_CHARACTERS } from "./template-variables.ts";

export interface NoteTemplatesDeps extends Deps<"clock"> {
  readonly vault: Pick<VaultService, "read">;
  /** The server's time zone, for callers that name none. */
  readonly timeZone: string;
}

export type NoteTemplates = ReturnType<typeof createNoteTemplates>;

/** A day whose note may have to be created. */
export interface NewDay {
  readonly date: string;
  readonly path: VaultPath;
  readonly settings: NoteSettings;
}

const EMPTY: FilledTemplate = { content: "", body: "", cursor: null };

/** Fills in the templates of the vault. */
export function createNoteTemplates({ clock, vault, timeZone }: NoteTemplatesDeps) {
  async function fill({ template, ...values }: FillTemplate, author: Author): Promise<FilledTemplate> {
    const { content } = await vault.read(parseVaultPath(template, "template"));
    if (content.length > MAX_TEMPLATE_CHARACTERS)
      throw new TooLargeError("A template may have at most 100,000 characters.");
    const now = wallClockIn(values.timezone ?? timeZone, clock.now());
    return fillTemplate(content, { ...values, author: author.name, date: values.date ?? now.date, time: now.time });
  }

  return {
    /** Throws {@link NotFoundError}, InvalidInputError for a file that is not text, and {@link TooLargeError}. */
    fill,

    /** What a new note of a day begins with. A template that is missing, no text or too long is left out. */
    async fillDay(
      { date, path, settings }: NewDay,
      timezone: string | undefined,
      author: Author,
    ): Promise<FilledTemplate> {
      const { dailyTemplate: template } = settings;
      if (template === null) return EMPTY;
      const title = withoutMarkdownExtension(nameOf(path));
      try {
        return await fill({ template, title, folder: parentOf(path), date, timezone }, author);
      } catch (error) {
        const isUnusable = [NotFoundError, InvalidInputError, TooLargeError].some((kind) => error instanceof kind);
        if (isUnusable) return EMPTY;
        throw error;
      }
    },
  };
}
