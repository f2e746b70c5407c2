import { expect, test } from "vitest";
import { TooLargeError } from "../../platform/errors.ts";
import { fillTemplate } from "./note-template.ts";

const values = { title: "Plan", folder: "Work", author: "Ada", date: "2026-03-01", time: "08:05" };

test("variables are filled in, and anything else in braces stays", () => {
  const { content } = fillTemplate(
    "{{title}} {{ date }} {{date:D MMMM YYYY}} {{yesterday}} {{tomorrow:MM/DD}} {{weekday}} {{time}} {{folder}} {{author}} {{x}} {{title:a}} {a}",
    values,
  );
  expect(content).toBe("Plan 2026-03-01 1 March 2026 2026-02-28 03/02 Sunday 08:05 Work Ada {{x}} {{title:a}} {a}");
});

test("the first mark says where the caret belongs in the body, and all are removed", () => {
  expect(fillTemplate("---\ntags: [a]\n---\n# {{title}}\n\n{{cursor}}\n{{cursor}}", values)).toEqual({
    content: "---\ntags: [a]\n---\n# Plan\n\n\n",
    body: "# Plan\n\n\n",
    cursor: 8,
  });
  expect(fillTemplate("---\na: {{cursor}}\n---\nb", values).cursor).toBe(null);
});

test("what is filled in is not read again, and a text that becomes too long is refused", () => {
  expect(fillTemplate("{{title}}", { ...values, title: "{{author}}" }).content).toBe("{{author}}");
  const long = "{{title}}".repeat(11_000);
  expect(() => fillTemplate(long, { ...values, title: "t".repeat(500) })).toThrow(TooLargeError);
});
