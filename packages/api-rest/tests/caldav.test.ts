import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_PROJECT, startCaldavServer, todo, type CaldavServer } from "./caldav-client.ts";

let caldav: CaldavServer;
beforeAll(async () => {
  caldav = await startCaldavServer();
});
afterAll(() => caldav.server.close());

describe("a task from a calendar program", () => {
  test("is a task like any other, with its author, and comes back byte for byte", async () => {
    const text = todo(
      "UID:heron-1",
      "DTSTAMP:20261101T000000Z",
      "SUMMARY;LANGUAGE=en:Watch the heron\\, quietly",
      "DESCRIPTION:One\\nTwo",
      "DUE;TZID=Europe/Berlin:20261224T090000",
      "PRIORITY:2",
      "CATEGORIES:birds,pond",
      "STATUS:IN-PROCESS",
      "PERCENT-COMPLETE:30",
      "X-APPLE-SORT-ORDER:42",
      "CLASS:PRIVATE",
      "BEGIN:VALARM",
      "ACTION:DISPLAY",
      "TRIGGER:-PT15M",
      "DESCRIPTION:Soon",
      "END:VALARM",
    );
    const path = `/caldav/tasks/${caldav.projectId}/heron%201@x.ics`;
    const created = await caldav.put(path, text, { "If-None-Match": "*" });
    expect(created.status).toBe(201);
    const [task] = await caldav.find("heron");
    expect(task).toMatchObject({
      title: "Watch the heron, quietly",
      description: "One\nTwo",
      dueDate: "2026-12-24T08:00:00.000Z",
      priority: 3,
      tags: ["birds", "pond"],
      status: "in_progress",
      projectId: caldav.projectId,
    });
    const activity = await caldav.api("GET", `/api/tasks/${task.id}/activity`);
    expect(activity.body.data.at(-1).author).toMatchObject({ kind: "program", name: "Phone" });
    const read = await caldav.dav("GET", path);
    expect([read.status, read.body]).toEqual([200, text]);
    expect(read.headers.get("etag")).toBe(created.headers.get("etag"));
    expect(
      (await caldav.dav("GET", path, { headers: { "If-None-Match": read.headers.get("etag") ?? "" } })).status,
    ).toBe(304);
  });

  test("keeps what only the program understands when it is changed here", async () => {
    const path = `/caldav/tasks/${caldav.projectId}/heron%201@x.ics`;
    const [task] = await caldav.find("heron");
    const before = (await caldav.dav("GET", path)).headers.get("etag");
    await caldav.api("PUT", `/api/tasks/${task.id}`, {
      body: { title: "Watch both herons", status: "done", dueDate: "2026-12-25" },
    });
    const { headers, body } = await caldav.dav("GET", path);
    expect(headers.get("etag")).not.toBe(before);
    const now = body.split("\r\n");
    expect(now).toEqual(
      expect.arrayContaining([
        "SUMMARY:Watch both herons",
        "STATUS:COMPLETED",
        "PERCENT-COMPLETE:100",
        "DUE;VALUE=DATE:20261225",
        "X-APPLE-SORT-ORDER:42",
        "CLASS:PRIVATE",
        "PRIORITY:2",
        "TRIGGER:-PT15M",
      ]),
    );
    expect(body).not.toContain("IN-PROCESS");
  });

  test("changes only what the program has changed", async () => {
    const { id } = (
      await caldav.api("POST", "/api/tasks", {
        body: { title: "Blocked", status: "blocked", dueDate: "2026-12-01", dueTime: "09:00" },
      })
    ).body.data;
    const path = `${NO_PROJECT}${id}.ics`;
    const { body, headers } = await caldav.dav("GET", path);
    expect(body).toContain("DUE:20261201T090000\r\n");
    const changed = body.replace("SUMMARY:Blocked", "SUMMARY:Still blocked");
    expect((await caldav.put(path, changed, { "If-Match": headers.get("etag") ?? "" })).status).toBe(204);
    const [task] = await caldav.find("Still");
    expect(task).toMatchObject({ id, status: "blocked", dueDate: "2026-12-01", dueTime: "09:00" });
    const { data } = (await caldav.api("GET", `/api/tasks/${id}/activity?only=changes`)).body;
    expect(data[0].changes.map(({ field }: any) => field)).toEqual(["title"]);
    expect((await caldav.api("POST", `/api/tasks/${id}/changes/${data[0].id}/undo`)).status).toBe(200);
    expect((await caldav.dav("GET", path)).body).toContain("SUMMARY:Blocked");
  });

  test("is not overwritten by a program that has not seen the last change", async () => {
    const path = `${NO_PROJECT}stale.ics`;
    const text = todo("UID:stale", "SUMMARY:Stale one");
    const first = await caldav.put(path, text);
    expect((await caldav.put(path, text, { "If-None-Match": "*" })).status).toBe(412);
    const [task] = await caldav.find("Stale");
    await caldav.api("PUT", `/api/tasks/${task.id}`, { body: { description: "Seen" } });
    const tag = first.headers.get("etag") ?? "";
    expect((await caldav.put(path, todo("UID:stale", "SUMMARY:Lost"), { "If-Match": tag })).status).toBe(412);
    expect((await caldav.dav("DELETE", path, { headers: { "If-Match": tag } })).status).toBe(412);
    expect((await caldav.put(`${NO_PROJECT}other.ics`, text, { "If-Match": "*" })).status).toBe(412);
    expect(await caldav.find("Stale")).toMatchObject([{ title: "Stale one", description: "Seen" }]);
    const now = (await caldav.dav("GET", path)).headers.get("etag") ?? "";
    expect((await caldav.dav("DELETE", path, { headers: { "If-Match": now } })).status).toBe(204);
    expect((await caldav.dav("GET", path)).status).toBe(404);
    expect((await caldav.dav("DELETE", path)).status).toBe(404);
  });

  test("is the same task after it was deleted, restored and moved", async () => {
    const text = todo("UID:mover", "SUMMARY:Mover");
    await caldav.put(`${NO_PROJECT}mover.ics`, text);
    const [{ id }] = await caldav.find("Mover");
    await caldav.dav("DELETE", `${NO_PROJECT}mover.ics`);
    expect(await caldav.find("Mover")).toEqual([]);
    expect((await caldav.put(`${NO_PROJECT}mover.ics`, text, { "If-None-Match": "*" })).status).toBe(201);
    expect(await caldav.find("Mover")).toMatchObject([{ id }]);
    // Programs move a task by storing it elsewhere before they delete it.
    expect(
      (await caldav.put(`/caldav/tasks/${caldav.projectId}/mover.ics`, text, { "If-None-Match": "*" })).status,
    ).toBe(201);
    expect((await caldav.dav("DELETE", `${NO_PROJECT}mover.ics`)).status).toBe(404);
    expect(await caldav.find("Mover")).toMatchObject([{ id, projectId: caldav.projectId }]);
    await caldav.api("PUT", `/api/tasks/${id}`, { body: { projectId: null } });
    expect((await caldav.dav("GET", `${NO_PROJECT}mover.ics`)).body).toBe(text);
  });

  test("has its parent, in whatever order the two arrive", async () => {
    await caldav.put(`${NO_PROJECT}child.ics`, todo("UID:child", "SUMMARY:Child", "RELATED-TO:parent"));
    expect(await caldav.find("Child")).toMatchObject([{ parentId: null }]);
    expect((await caldav.dav("GET", `${NO_PROJECT}child.ics`)).body).toContain("RELATED-TO:parent");
    await caldav.put(`${NO_PROJECT}parent.ics`, todo("UID:parent", "SUMMARY:Parent"));
    const [parent] = await caldav.find("Parent");
    expect(await caldav.find("Child")).toMatchObject([{ parentId: parent.id }]);
    await caldav.put(
      `${NO_PROJECT}second.ics`,
      todo("UID:second", "SUMMARY:Second child", "RELATED-TO;RELTYPE=PARENT:parent"),
    );
    expect(await caldav.find("Second")).toMatchObject([{ parentId: parent.id }]);
    await caldav.put(
      `${NO_PROJECT}second.ics`,
      todo("UID:second", "SUMMARY:Second child", "RELATED-TO;RELTYPE=SIBLING:child"),
    );
    expect(await caldav.find("Second")).toMatchObject([{ parentId: null }]);
    const here = await caldav.api("POST", "/api/tasks", { body: { title: "Third", parentId: parent.id } });
    expect((await caldav.dav("GET", `${NO_PROJECT}${here.body.data.id}.ics`)).body).toContain("RELATED-TO:parent\r\n");
  });

  test("repeats by its rule, if tasks can have it, and keeps every other one", async () => {
    const rule = "RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU";
    const text = todo("UID:weekly", "SUMMARY:Weekly", "DTSTART;VALUE=DATE:20261201", "DUE;VALUE=DATE:20261201", rule);
    await caldav.put(`${NO_PROJECT}weekly.ics`, text);
    const [task] = await caldav.find("Weekly");
    expect(task.repeat).toBe("FREQ=WEEKLY;INTERVAL=2;BYDAY=TU");
    expect((await caldav.dav("GET", `${NO_PROJECT}weekly.ics`)).body).toBe(text);
    await caldav.api("PUT", `/api/tasks/${task.id}`, { body: { repeat: "FREQ=DAILY" } });
    expect((await caldav.dav("GET", `${NO_PROJECT}weekly.ics`)).body).toContain("RRULE:FREQ=DAILY\r\n");
    const hourly = todo("UID:hourly", "SUMMARY:Hourly", "DUE;VALUE=DATE:20261201", "RRULE:FREQ=HOURLY");
    await caldav.put(`${NO_PROJECT}hourly.ics`, hourly);
    expect(await caldav.find("Hourly")).toMatchObject([{ repeat: null }]);
    expect((await caldav.dav("GET", `${NO_PROJECT}hourly.ics`)).body).toBe(hourly);
    const own = await caldav.api("POST", "/api/tasks", {
      body: { title: "Own", dueDate: "2026-12-01", repeat: "FREQ=MONTHLY" },
    });
    const { body } = await caldav.dav("GET", `${NO_PROJECT}${own.body.data.id}.ics`);
    expect(body).toContain("RRULE:FREQ=MONTHLY\r\n");
    expect(body).toContain("DTSTART;VALUE=DATE:20261201\r\n");
  });

  test("stored by two at once is one task", async () => {
    const text = todo("UID:twice", "SUMMARY:Twice");
    const results = await Promise.all(
      [1, 2, 3, 4].map(() => caldav.put(`${NO_PROJECT}twice.ics`, text, { "If-None-Match": "*" })),
    );
    expect(results.map(({ status }) => status).toSorted()).toEqual([201, 412, 412, 412]);
    expect(await caldav.find("Twice")).toHaveLength(1);
  });

  test.each([
    ["an event", todo("UID:a", "SUMMARY:b").replaceAll("VTODO", "VEVENT"), "c:supported-calendar-component"],
    ["what is no calendar", "hello", "c:valid-calendar-data"],
    ["a task without a UID", todo("SUMMARY:b"), "c:valid-calendar-object-resource"],
    ["two tasks", todo("UID:a", "END:VTODO", "BEGIN:VTODO", "UID:b"), "c:valid-calendar-object-resource"],
    [
      "too many components",
      todo(
        "UID:a",
        ...Array.from({ length: 200 }, () => "BEGIN:VALARM\r\nEND:VALARM"),
        ...Array.from({ length: 200 }, () => "BEGIN:VALARM\r\nEND:VALARM"),
      ),
      "c:valid-calendar-data",
    ],
    [
      "components in components",
      todo(
        "UID:a",
        ..."x"
          .repeat(200)
          .split("")
          .map(() => "BEGIN:X"),
        ..."x"
          .repeat(200)
          .split("")
          .map(() => "END:X"),
      ),
      "c:valid-calendar-data",
    ],
  ])("%s is refused, and stored nowhere", async (_what, text, condition) => {
    const before = (await caldav.api("GET", "/api/tasks")).body.data.length;
    const { status, body } = await caldav.put(`${NO_PROJECT}refused.ics`, text);
    expect([status, body.includes(`<${condition}/>`)]).toEqual([403, true]);
    expect((await caldav.api("GET", "/api/tasks")).body.data).toHaveLength(before);
    expect((await caldav.dav("GET", `${NO_PROJECT}refused.ics`)).status).toBe(404);
  });

  test("with too long a title, another's UID or in no such list is refused", async () => {
    const long = await caldav.put(`${NO_PROJECT}long.ics`, todo("UID:long", `SUMMARY:${"x".repeat(501)}`));
    expect([long.status, long.body.includes("title: must be at most 500 characters")]).toEqual([400, true]);
    await caldav.put(`${NO_PROJECT}one.ics`, todo("UID:one", "SUMMARY:One and only"));
    const other = await caldav.put(`${NO_PROJECT}copy.ics`, todo("UID:one", "SUMMARY:Copy"));
    expect([other.status, other.body.includes("<c:no-uid-conflict/>")]).toEqual([403, true]);
    expect((await caldav.put(`${NO_PROJECT}one.ics`, todo("UID:two", "SUMMARY:Copy"))).status).toBe(403);
    expect(
      (await caldav.put(`/caldav/tasks/${caldav.projectId}/one.ics`, todo("UID:two", "SUMMARY:Copy"))).status,
    ).toBe(409);
    expect((await caldav.put("/caldav/tasks/00000000-0000-7000-8000-000000000000/x.ics", todo("UID:x"))).status).toBe(
      404,
    );
    expect((await caldav.put(`${NO_PROJECT}big.ics`, `${todo("UID:x")}${"x".repeat(1024 * 1024)}`)).status).toBe(413);
    expect((await caldav.dav("PUT", `${NO_PROJECT}x.ics`, { text: "{}", type: "application/json" })).status).toBe(403);
    expect(await caldav.find("Copy")).toEqual([]);
  });
});
