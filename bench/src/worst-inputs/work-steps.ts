import { CORE, type Step } from "./step.ts";

const CALENDAR_BEGIN = "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:a\r\n";
const CALENDAR_END = "\r\nEND:VTODO\r\nEND:VCALENDAR\r\n";
const CALENDAR_OPENINGS = [
  "",
  "SUMMARY:",
  "X;Y=",
  "X;",
  'X;Y="',
  "CATEGORIES:",
  "DUE:",
  "RRULE:",
  "DURATION:",
  "\r\n ",
].map((line) => CALENDAR_BEGIN + line);
const CALENDAR_TASK = {
  id: "a",
  title: "Another title",
  description: "Another description",
  status: "done",
  priority: 1,
  dueDate: "2026-01-01",
  dueTime: null,
  tags: ["other"],
  completedAt: "2026-01-01T00:00:00.000Z",
  createdAt: "2026-01-01T00:00:00.000Z",
  modifiedAt: "2026-01-01T00:00:00.000Z",
  parentUid: "b",
  repeat: null,
  repeatFrom: "due",
};

const WORK = `${CORE}/work`;
const CALDAV = "../../../packages/api-rest/src/caldav";

/** The texts of tasks. */
export const WORK_STEPS: readonly Step[] = [
  {
    name: "task read from a text",
    maxCharacters: 1_000,
    openings: ["", "in ", "@", "#", "every ", "at 9:", "1."],
    load: async () => {
      const { readTask } = await import(`${WORK}/capture/capture-text.ts`);
      const projects = Array.from({ length: 200 }, (_, index) => ({ id: `${index}`, name: "a".repeat(index + 1) }));
      const context = { wallClock: () => ({ date: "2026-11-25", time: "10:00" }), language: "en", projects };
      return (text) => readTask(text, context);
    },
  },
  {
    name: "filter of tasks",
    maxCharacters: 2_000,
    openings: ["", "(", "not ", "tag:", "tag:a,", '"', "{", '{"and":[', "due < "],
    load: async () => {
      const { parseFilter, printFilter } = await import(`${WORK}/task-filter/task-fields.ts`);
      return (text) => {
        try {
          printFilter(parseFilter(text));
        } catch {
          // Most of these texts are no filter.
        }
      };
    },
  },
  {
    name: "mentions in a comment",
    maxCharacters: 10_000,
    openings: ["", "@", "@a", " @"],
    load: async () => {
      const { findMentions } = await import(`${WORK}/task-activity/mentions.ts`);
      const everybody = Array.from("a".repeat(500), (name, id) => ({ kind: "user", id, name: name.repeat(id) }));
      return (text) => findMentions(text, everybody);
    },
  },
  {
    name: "checkbox of an imported list",
    maxCharacters: 200_000,
    openings: ["- [ ] ", "- [ ] #", "1. [x] 📅 "],
    load: async () => {
      const { readMarkdown } = await import(`${WORK}/task-import/formats/markdown.ts`);
      const { fitTask } = await import(`${WORK}/task-import/formats/imported-task.ts`);
      const wallClock = () => ({ date: "2026-11-25", time: "10:00" });
      const context = { now: new Date("2026-11-25T10:00:00Z"), timeZone: "UTC", wallClock };
      return async (text) => {
        for await (const entry of readMarkdown(text.replaceAll("\n", " "), context))
          if ("key" in entry) fitTask(entry, context);
      };
    },
  },
  {
    name: "HTML of an imported task",
    maxCharacters: 50_000,
    openings: ["<p>", "<a href=", "<li", "&"],
    load: async () => (await import(`${WORK}/task-import/formats/html-to-lines.ts`)).htmlToLines,
  },
  {
    name: "calendar object of a task",
    maxCharacters: 400_000,
    openings: CALENDAR_OPENINGS,
    load: async () => {
      const { readTodoObject } = await import(`${WORK}/icalendar/todo-object.ts`);
      const { fieldsOfTodo } = await import(`${WORK}/icalendar/todo-fields.ts`);
      const { currentObject } = await import(`${WORK}/icalendar/current-todo.ts`);
      return (text) => {
        try {
          fieldsOfTodo(readTodoObject(text + CALENDAR_END).todo);
          currentObject(CALENDAR_TASK, text + CALENDAR_END);
        } catch {
          // Most are no calendar objects, which it must notice as quickly.
        }
      };
    },
  },
  {
    name: "XML of a calendar program",
    maxCharacters: 1024 * 1024,
    openings: ["", "<a>", "<a ", '<a b="', "<a xmlns:b='", "<a>&", "<a><![CDATA[", "<!--", "<?a "],
    load: async () => {
      const { readXml } = await import("../../../packages/api-rest/src/caldav/xml-reader.ts");
      // Most are not well-formed, which it must notice as quickly.
      return (text) => readXml(text).catch(() => null);
    },
  },
  {
    name: "tasks that a calendar program asks for",
    maxCharacters: 600_000,
    openings: ["", "/a", "%", "http://"],
    load: async () => {
      const { report } = await import(`${CALDAV}/dav-reads.ts`);
      const objects = {
        getCollection: async () => {},
        read: async (_collectionId: null, names: readonly string[]) =>
          names.map((name) => ({ name, tag: "1", modifiedAt: "2026-01-01T00:00:00.000Z", text: "a".repeat(1_500) })),
      };
      const request = {
        path: { kind: "collection", collectionId: null },
        principal: { name: "a", scopes: new Set(["tasks:read"]) },
      };
      const unknown = Array.from({ length: 99 }, (_, index) => `<d:${"a".repeat(40)}${index}/>`).join("");
      return async (text) => {
        const hrefs = (text.replaceAll("]]>", "").match(/[^]{1,60}/g) ?? []).map(
          (end, index) =>
            `<d:href>${index % 2 === 0 ? "/caldav/tasks/no-project/" : ""}${index}<![CDATA[${end}]]></d:href>`,
        );
        const body = `<c:calendar-multiget xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:d="DAV:"><d:prop><c:calendar-data/>${unknown}</d:prop>${hrefs.join("")}</c:calendar-multiget>`;
        await report(objects, { ...request, body });
      };
    },
  },
  {
    name: "filter of a calendar program",
    maxCharacters: 200_000,
    load: async () => {
      const { readXml } = await import("../../../packages/api-rest/src/caldav/xml-reader.ts");
      const { readFilter } = await import("../../../packages/api-rest/src/caldav/dav-filter.ts");
      const { matchesFilter } = await import(`${WORK}/icalendar/todo-filter.ts`);
      const { currentObject } = await import(`${WORK}/icalendar/current-todo.ts`);
      const written = `${CALENDAR_BEGIN}${"X-A:a\r\n".repeat(5_000)}DESCRIPTION:${"a".repeat(250_000)}${CALENDAR_END}`;
      const { calendar } = currentObject(CALENDAR_TASK, written);
      return async (text) => {
        const words = text.replaceAll(/[&<>]|\p{Cc}/gu, " ");
        const filter = await readXml(
          `<C:filter xmlns:C="urn:ietf:params:xml:ns:caldav"><C:comp-filter name="VCALENDAR"><C:comp-filter name="VTODO">${[
            ...Array.from({ length: 300 }, () => partOfFilter("x-a", "b")),
            partOfFilter("description", words),
          ].join("")}</C:comp-filter></C:comp-filter></C:filter>`,
        );
        await matchesFilter(calendar, readFilter(filter));
      };
    },
  },
];

function partOfFilter(name: string, words: string): string {
  return `<C:prop-filter name="${name}"><C:text-match negate-condition="yes">${words}</C:text-match></C:prop-filter>`;
}
