import type { Deps } from "../../platform/deps.ts";
import { InvalidInputError, PreconditionFailedError } from "../../platform/errors.ts";
import {
  selectVersionedSetting,
  setVersionedSetting,
  type VersionedSetting,
} from "../../platform/versioned-setting.queries.ts";
import { isMarkdownName } from "../markdown/file-type.ts";
import { parseVaultPath } from "../vault/vault-path.ts";
import { writeDay } from "./day-name.ts";
import type { NoteSettings, NoteSettingsDocument, SetNoteSettings } from "./note-settings.schema.ts";

const KEY = "notes";

const INITIAL: NoteSettings = {
  dailyFolder: "Journal",
  dailyName: "YYYY-MM-DD",
  dailyTemplate: null,
  templateFolder: "Templates",
  folderTemplates: [],
  version: 0,
  updatedAt: null,
};

export type NoteSettingsService = ReturnType<typeof createNoteSettingsService>;

/** Where daily notes and templates are. Everybody who uses the vault has the same. */
export function createNoteSettingsService({ db, clock }: Deps<"db" | "clock">) {
  return {
    async get(): Promise<NoteSettings> {
      const stored = await selectVersionedSetting<NoteSettingsDocument>(db.pool, KEY);
      return stored === null ? INITIAL : toSettings(stored);
    },

    /**
     * Replaces the settings. Throws InvalidInputError and ForbiddenError for what cannot be a path, and {@link PreconditionFailedError} if
     * they no longer have the expected version.
     */
    async set({ expectedVersion, ...given }: SetNoteSettings): Promise<NoteSettings> {
      const document = withParsedPaths(given);
      const stored = await setVersionedSetting(db.pool, KEY, document, { expectedVersion, now: clock.now() });
      if (stored === null)
        throw new PreconditionFailedError("The settings have been changed in the meantime. Read them again.");
      return toSettings(stored);
    },
  };
}

function withParsedPaths(given: NoteSettingsDocument): NoteSettingsDocument {
  parseVaultPath(`${given.dailyFolder}/${writeDay(given.dailyName, "2026-12-31")}.md`.replace(/^\/+/, ""), "dailyName");
  if (given.dailyName.startsWith("/") || given.dailyName.endsWith("/") || given.dailyName.includes("//"))
    throw InvalidInputError.at("dailyName", "must not begin or end with a slash, or contain two");
  return {
    dailyFolder: parseVaultPath(given.dailyFolder, "dailyFolder"),
    dailyName: given.dailyName,
    dailyTemplate: given.dailyTemplate === null ? null : parseTemplate(given.dailyTemplate, "dailyTemplate"),
    templateFolder: parseVaultPath(given.templateFolder, "templateFolder"),
    folderTemplates: given.folderTemplates.map(({ folder, template }, index) => ({
      folder: parseVaultPath(folder, `folderTemplates.${index}.folder`),
      template: parseTemplate(template, `folderTemplates.${index}.template`),
    })),
  };
}

function parseTemplate(path: string, field: string): string {
  const parsed = parseVaultPath(path, field);
  if (!isMarkdownName(parsed)) throw InvalidInputError.at(field, "must be a Markdown file, with .md");
  return parsed;
}

function toSettings({ value, updatedAt }: VersionedSetting<NoteSettingsDocument>): NoteSettings {
  return { ...value, updatedAt };
}
