import { expect, test } from "vitest";
import type { NoteSettings } from "./daily-note.ts";
import { templateOf, templatesAmong } from "./note-template.ts";

const settings: NoteSettings = {
  dailyFolder: "Journal",
  dailyName: "YYYY-MM-DD",
  dailyTemplate: null,
  templateFolder: "Templates",
  folderTemplates: [
    { folder: "Work", template: "Templates/work.md" },
    { folder: "Work/Meetings", template: "Templates/meeting.md" },
  ],
  version: 1,
  updatedAt: null,
};

test("the template of the nearest folder is used for new notes, and none for templates", () => {
  expect(templateOf(settings, "Work/a.md")).toBe("Templates/work.md");
  expect(templateOf(settings, "Work/Meetings/2026/a.md")).toBe("Templates/meeting.md");
  expect(templateOf(settings, "Workshop/a.md")).toBe(null);
  expect(templateOf(settings, "Work/a.txt")).toBe(null);
  const everywhere = { ...settings, folderTemplates: [{ folder: "", template: "Templates/any.md" }] };
  expect(templateOf(everywhere, "a.md")).toBe("Templates/any.md");
  expect(templateOf(everywhere, "Templates/new.md")).toBe(null);
});

test("templates are the notes in their folder", () => {
  const paths = ["Templates/b.md", "Templates/a/c.md", "Templates/x.png", "Templates.md", "b.md"];
  const found = templatesAmong(
    paths.map((path) => ({ path })),
    settings,
  );
  expect(found.map(({ path }) => path)).toEqual(["Templates/a/c.md", "Templates/b.md"]);
});
