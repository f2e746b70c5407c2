import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  hrefsIn,
  multiget,
  NO_PROJECT,
  propfind,
  query,
  startCaldavServer,
  limitTo,
  sync,
  todo,
  tokenIn,
  type CaldavServer,
} from "./caldav-client.ts";

let caldav: CaldavServer;
beforeAll(async () => {
  caldav = await startCaldavServer();
});
afterAll(() => caldav.server.close());

/**
 * Asks what has changed in a list until nothing has, and returns the token of that moment. What was changed while a transaction was open, in
 * any database of the PostgreSQL server, is reported again until one asks after its end; other tests have such transactions.
 */
async function tokenOfNow(since: string, list = NO_PROJECT): Promise<string> {
  let token = since;
  const changes = async () => {
    const { body } = await caldav.dav("REPORT", list, { text: sync(token) });
    token = tokenIn(body);
    return hrefsIn(body);
  };
  await expect.poll(changes, { timeout: 20_000 }).toEqual([]);
  return token;
}

describe("discovery", () => {
  test("leads from the host to the principal, the home and its lists", async () => {
    for (const path of ["/.well-known/caldav", "/.well-known/caldav/"]) {
      const { status, headers } = await caldav.dav("PROPFIND", path);
      expect([status, headers.get("location")]).toEqual([301, "/caldav/"]);
    }
    const atRoot = await caldav.dav("PROPFIND", "/");
    expect([atRoot.status, atRoot.headers.get("location")]).toEqual([301, "/caldav/"]);
    const root = await caldav.dav("PROPFIND", "/caldav/", { text: propfind("d:current-user-principal") });
    expect(root.status).toBe(207);
    expect(root.body).toContain("<d:current-user-principal><d:href>/caldav/principal/</d:href>");
    const principal = await caldav.dav("PROPFIND", "/caldav/principal/", { text: propfind("c:calendar-home-set") });
    expect(principal.body).toContain("<c:calendar-home-set><d:href>/caldav/tasks/</d:href>");
    const home = await caldav.dav("PROPFIND", "/caldav/tasks/", {
      headers: { Depth: "1" },
      text: propfind(
        "d:displayname",
        "d:resourcetype",
        "c:supported-calendar-component-set",
        "cs:getctag",
        "d:sync-token",
      ),
    });
    expect(hrefsIn(home.body)).toEqual(["/caldav/tasks/", NO_PROJECT, `/caldav/tasks/${caldav.projectId}/`]);
    expect(home.body).toContain("<d:displayname>Pond &amp; garden</d:displayname>");
    expect(home.body).toContain('<c:comp name="VTODO"/>');
  });

  test("says what it can, and answers a request without a body", async () => {
    const { status, headers } = await caldav.dav("OPTIONS", NO_PROJECT);
    expect([status, headers.get("dav")]).toEqual([200, "1, 3, calendar-access"]);
    expect(headers.get("allow")).toContain("REPORT");
    const all = await caldav.dav("PROPFIND", NO_PROJECT, { headers: { Depth: "0" } });
    expect(all.body).toContain("<d:supported-report-set>");
    const names = await caldav.dav("PROPFIND", NO_PROJECT, {
      text: '<d:propfind xmlns:d="DAV:"><d:propname/></d:propfind>',
    });
    expect(names.body).toContain('<x:sync-token xmlns:x="DAV:"/>');
    const unknown = await caldav.dav("PROPFIND", NO_PROJECT, { text: propfind("d:quota", "d:displayname") });
    expect(unknown.body).toContain(
      '<d:prop><x:quota xmlns:x="DAV:"/></d:prop><d:status>HTTP/1.1 404 Not Found</d:status>',
    );
  });

  test("shows keys without tasks:write that they can only read", async () => {
    const text = propfind("d:current-user-privilege-set");
    expect((await caldav.dav("PROPFIND", NO_PROJECT, { text })).body).toContain("<d:write-content/>");
    expect(
      (await caldav.dav("PROPFIND", NO_PROJECT, { text, password: await caldav.createKey("tasks:read") })).body,
    ).not.toContain("<d:write");
  });
});

describe("what programs ask", () => {
  test("calendar-multiget, with and without what is there", async () => {
    await caldav.put(`${NO_PROJECT}get%20me.ics`, todo("UID:get", "SUMMARY:Get <me> & more"));
    const hrefs = [
      `${caldav.server.url}${NO_PROJECT}get%20me.ics`,
      `${NO_PROJECT}missing.ics`,
      "/caldav/tasks/../x.ics",
    ];
    const { status, body } = await caldav.dav("REPORT", NO_PROJECT, {
      text: multiget(...hrefs),
      headers: { Depth: "1" },
    });
    expect(status).toBe(207);
    expect(body).toContain("SUMMARY:Get &lt;me&gt; &amp; more&#13;\n");
    expect(body.match(/HTTP\/1.1 404 Not Found/g)).toHaveLength(2);
  });

  test("calendar-multiget sends a task once, however often and in whatever spelling it is asked for", async () => {
    await caldav.put(`${NO_PROJECT}once.ics`, todo("UID:once", "SUMMARY:Once"));
    const hrefs = [`${NO_PROJECT}once.ics`, `${NO_PROJECT}%6fnce.ics`, `${caldav.server.url}${NO_PROJECT}once.ics`];
    const { body } = await caldav.dav("REPORT", NO_PROJECT, { text: multiget(...hrefs, ...hrefs) });
    expect(body.match(/SUMMARY:Once/g)).toHaveLength(1);
    expect(hrefsIn(body)).toEqual([`${NO_PROJECT}once.ics`]);
  });

  test.each([
    [
      "without a date of completion",
      '<c:prop-filter name="COMPLETED"><c:is-not-defined/></c:prop-filter>',
      ["q1", "q2"],
    ],
    ["by a text", '<c:prop-filter name="SUMMARY"><c:text-match>QUERY ONE</c:text-match></c:prop-filter>', ["q1"]],
    [
      "by a text, exactly",
      '<c:prop-filter name="SUMMARY"><c:text-match collation="i;octet">QUERY ONE</c:text-match></c:prop-filter>',
      [],
    ],
    [
      "not by a text",
      '<c:prop-filter name="SUMMARY"><c:text-match negate-condition="yes">one</c:text-match></c:prop-filter>',
      ["q2", "q3"],
    ],
    ["by a category", '<c:prop-filter name="CATEGORIES"><c:text-match>red</c:text-match></c:prop-filter>', ["q2"]],
    ["by time", '<c:time-range start="20270101T000000Z" end="20270102T000000Z"/>', ["q1"]],
    ["by an alarm", '<c:comp-filter name="VALARM"/>', ["q2"]],
    [
      "by a parameter",
      '<c:prop-filter name="DUE"><c:param-filter name="VALUE"><c:text-match>DATE</c:text-match></c:param-filter></c:prop-filter>',
      [],
    ],
    ["all of them", "", ["q1", "q2", "q3"]],
  ])("calendar-query %s", async (_what, filter, expected) => {
    await caldav.put(`${NO_PROJECT}q1.ics`, todo("UID:q1", "SUMMARY:Query one", "DUE;VALUE=DATE:20270101"));
    await caldav.put(
      `${NO_PROJECT}q2.ics`,
      todo(
        "UID:q2",
        "SUMMARY:Query two",
        "DTSTART:20280101T000000Z",
        "DUE:20280102T000000Z",
        "CATEGORIES:blue,red",
        "BEGIN:VALARM",
        "ACTION:AUDIO",
        "TRIGGER:-PT1M",
        "END:VALARM",
      ),
    );
    await caldav.put(
      `${NO_PROJECT}q3.ics`,
      todo(
        "UID:q3",
        "SUMMARY:Query three",
        "DUE;VALUE=DATE:20290101",
        "STATUS:COMPLETED",
        "COMPLETED:20260101T000000Z",
      ),
    );
    const { status, body } = await caldav.dav("REPORT", NO_PROJECT, { text: query(filter), headers: { Depth: "1" } });
    expect(status).toBe(207);
    const found = hrefsIn(body).map((href) => /(q\d)\.ics$/.exec(href)?.[1]);
    expect(found.filter((name) => name !== undefined).toSorted()).toEqual(expected);
  });

  test("sync-collection says what has changed, what is gone, and nothing else", async () => {
    const first = await caldav.dav("REPORT", NO_PROJECT, { text: sync("") });
    expect(hrefsIn(first.body)).toContain(`${NO_PROJECT}q1.ics`);
    const token = await tokenOfNow(tokenIn(first.body));
    await caldav.put(`${NO_PROJECT}new.ics`, todo("UID:new", "SUMMARY:New"));
    await caldav.api("PUT", `/api/tasks/${(await caldav.find("Query one"))[0].id}`, {
      body: { title: "Query one again" },
    });
    await caldav.dav("DELETE", `${NO_PROJECT}q2.ics`);
    await caldav.api("PUT", `/api/tasks/${(await caldav.find("Query three"))[0].id}`, {
      body: { projectId: caldav.projectId },
    });
    const second = await caldav.dav("REPORT", NO_PROJECT, { text: sync(token) });
    const changed = second.body.split("<d:response>").filter((part: string) => part.includes("200 OK"));
    expect(changed.flatMap(hrefsIn).toSorted()).toEqual([`${NO_PROJECT}new.ics`, `${NO_PROJECT}q1.ics`]);
    const gone = second.body.split("<d:response>").filter((part: string) => part.includes("404 Not Found"));
    expect(gone.flatMap(hrefsIn).toSorted()).toEqual([`${NO_PROJECT}q2.ics`, `${NO_PROJECT}q3.ics`]);
    const lastToken = await tokenOfNow(tokenIn(second.body));
    const there = await caldav.dav("PROPFIND", `/caldav/tasks/${caldav.projectId}/`, {
      headers: { Depth: "1" },
      text: propfind("d:getetag"),
    });
    expect(hrefsIn(there.body)).toContain(`/caldav/tasks/${caldav.projectId}/q3.ics`);
    for (const token of ["http://example.invalid/x", "urn:workspace:sync:1:1", `${lastToken}0`]) {
      const refused = await caldav.dav("REPORT", NO_PROJECT, { text: sync(token) });
      expect([refused.status, refused.body.includes("<d:valid-sync-token/>")]).toEqual([403, true]);
    }
  });

  /** All parts of what a program is told since a token: the names of the tasks that it then has, and the token of the last part. */
  async function syncParts(list: string, token: string, limit: string, between: () => Promise<unknown>) {
    const had = new Set<string>();
    for (let part = 1; ; part += 1) {
      const { status, body } = await caldav.dav("REPORT", list, { text: sync(token, limit) });
      expect(status).toBe(207);
      token = tokenIn(body);
      const responses: string[] = body.split("<d:response>").slice(1);
      const namesWith = (status: string) =>
        responses
          .filter((response) => response.includes(status))
          .flatMap(hrefsIn)
          .map((href) => href.slice(list.length));
      for (const name of namesWith("200 OK")) had.add(name);
      for (const name of namesWith("404 Not Found")) had.delete(name);
      const truncated = responses.filter((response) => response.includes("507 Insufficient Storage"));
      if (truncated.length === 0) return { had, token, parts: part };
      expect(truncated.map(hrefsIn)).toEqual([[list]]);
      expect(truncated[0]).toContain("<d:error><d:number-of-matches-within-limits/></d:error>");
      await between();
    }
  }

  test("sync-collection sends no more than is wanted, and the rest with its token, also of what changes meanwhile", async () => {
    const { id } = (await caldav.api("POST", "/api/projects", { body: { name: "Parts", color: "#000000" } })).body.data;
    const list = `/caldav/tasks/${id}/`;
    for (let number = 1; number <= 7; number += 1)
      await caldav.put(`${list}p${number}.ics`, todo(`UID:p${number}`, `SUMMARY:Part ${number}`));
    let change = 0;
    const first = await syncParts(list, "", limitTo(2), async () => {
      change += 1;
      // What has been told of already is changed, too, and what was not is deleted.
      if (change === 1) await caldav.put(`${list}p1.ics`, todo("UID:p1", "SUMMARY:Part 1 again"));
      if (change === 2) await caldav.dav("DELETE", `${list}p7.ics`);
    });
    expect(first.parts).toBe(3);
    expect([...first.had].toSorted()).toEqual(["p1.ics", "p2.ics", "p3.ics", "p4.ics", "p5.ics", "p6.ics"]);
    const second = await syncParts(list, first.token, "", () => Promise.resolve());
    expect(second.had).toContain("p1.ics");
    const token = await tokenOfNow(second.token, list);
    for (const number of [2, 3, 4, 5]) await caldav.dav("DELETE", `${list}p${number}.ics`);
    await caldav.put(`${list}p8.ics`, todo("UID:p8", "SUMMARY:Part 8"));
    const third = await syncParts(list, token, limitTo(1), () => Promise.resolve());
    expect([[...third.had], third.parts]).toEqual([["p8.ics"], 5]);
    for (const limit of [limitTo("many"), "<d:limit/>"])
      expect((await caldav.dav("REPORT", list, { text: sync(token, limit) })).status).toBe(400);
    const none = await caldav.dav("REPORT", list, { text: sync(token, limitTo(0)) });
    expect([none.status, none.body.includes("<d:number-of-matches-within-limits/>")]).toEqual([403, true]);
  });

  test("sync-collection sends more than its limit in parts", async () => {
    const { id } = (await caldav.api("POST", "/api/projects", { body: { name: "Large", color: "#000000" } })).body.data;
    const list = `/caldav/tasks/${id}/`;
    await caldav.put(`${list}large.ics`, todo("UID:large", "SUMMARY:Large one"));
    const token = await tokenOfNow(tokenIn((await caldav.dav("REPORT", list, { text: sync("") })).body), list);
    await caldav.server.db.pool.query(
      `INSERT INTO tasks SELECT copy.* FROM tasks t, generate_series(1, 10001) AS number,
         jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'number', number)) AS copy
       WHERE t.project_id = $1`,
      [id],
    );
    for (const [start, count] of [
      [token, 10_001],
      ["", 10_002],
    ] as const) {
      const { had, parts } = await syncParts(list, start, "", () => Promise.resolve());
      expect([had.size, parts]).toEqual([count, 2]);
    }
  });

  test("the tag of a list changes with its tasks, and not with those of others", async () => {
    const tag = async () => (await caldav.dav("PROPFIND", NO_PROJECT, { text: propfind("cs:getctag") })).body;
    const before = await tag();
    await caldav.put(`/caldav/tasks/${caldav.projectId}/elsewhere.ics`, todo("UID:elsewhere", "SUMMARY:Elsewhere"));
    expect(await tag()).toBe(before);
    await caldav.put(`${NO_PROJECT}new.ics`, todo("UID:new", "SUMMARY:New", "X-ONLY:theirs"));
    expect(await tag()).not.toBe(before);
  });

  test("the tasks of a deleted project are in the list without one", async () => {
    const { id } = (await caldav.api("POST", "/api/projects", { body: { name: "Short", color: "#000000" } })).body.data;
    await caldav.put(`/caldav/tasks/${id}/short.ics`, todo("UID:short", "SUMMARY:Short one"));
    const start = tokenIn((await caldav.dav("REPORT", NO_PROJECT, { text: sync("") })).body);
    await caldav.api("DELETE", `/api/projects/${id}`);
    expect((await caldav.dav("GET", `/caldav/tasks/${id}/short.ics`)).status).toBe(404);
    expect((await caldav.dav("PROPFIND", `/caldav/tasks/${id}/`)).status).toBe(404);
    expect(hrefsIn((await caldav.dav("REPORT", NO_PROJECT, { text: sync(start) })).body)).toContain(
      `${NO_PROJECT}short.ics`,
    );
    expect((await caldav.dav("GET", `${NO_PROJECT}short.ics`)).status).toBe(200);
  });

  test.each([
    ["MKCALENDAR", "/caldav/tasks/new/", 403],
    ["MKCALENDAR", "/caldav/tasks/8E6F2C50-1111-2222-3333-444455556666/", 403],
    ["MKCALENDAR", "/caldav/tasks/00000000-0000-7000-8000-000000000000/", 403],
    ["DELETE", NO_PROJECT, 405],
    ["GET", NO_PROJECT, 405],
    ["PUT", NO_PROJECT, 405],
    ["LOCK", `${NO_PROJECT}q1.ics`, 405],
    ["REPORT", "/caldav/", 400],
  ])("%s %s is refused with %i", async (method, path, status) => {
    expect((await caldav.dav(method, path)).status).toBe(status);
  });

  test("no property can be changed, and other reports do not exist", async () => {
    const text = `<d:propertyupdate xmlns:d="DAV:"><d:set><d:prop><d:displayname>x</d:displayname></d:prop></d:set></d:propertyupdate>`;
    const { status, body } = await caldav.dav("PROPPATCH", NO_PROJECT, { text });
    expect([status, body.includes("HTTP/1.1 403 Forbidden")]).toEqual([207, true]);
    const other = await caldav.dav("REPORT", NO_PROJECT, { text: '<d:expand-property xmlns:d="DAV:"/>' });
    expect([other.status, other.body.includes("<d:supported-report/>")]).toEqual([403, true]);
    const deep = await caldav.dav("PROPFIND", NO_PROJECT, { headers: { Depth: "infinity" } });
    expect([deep.status, deep.body.includes("<d:propfind-finite-depth/>")]).toEqual([403, true]);
  });
});
