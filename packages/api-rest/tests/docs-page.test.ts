import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { html } from "../src/docs-page/html.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

let server: TestServer;
let page: string;

beforeAll(async () => {
  server = await startTestServer();
  page = (await server.anonymous("GET", "/docs")).body;
});
afterAll(() => server.close());

describe("/docs", () => {
  test("shows every operation of both documents", async () => {
    for (const file of ["/openapi.json", "/openapi.v1.json"]) {
      const document = (await server.anonymous("GET", file)).body;
      const base: string = document.servers[0].url;
      for (const [path, operations] of Object.entries<Record<string, object>>(document.paths)) {
        for (const [method, { servers }] of Object.entries<{ servers?: [{ url: string }] }>(operations)) {
          expect(page).toContain(`<span class="method ${method}">${method.toUpperCase()}</span>`);
          expect(page).toContain(`<code>${servers?.[0].url.slice(0, -1) ?? base}${path}</code>`);
        }
      }
    }
  });

  test("describes operations, parameters and fields", () => {
    expect(page).toContain("<p>List the user&#39;s tasks, newest first, optionally by status");
    expect(page).toContain("Part of the title or the description, case-insensitive");
    // The fields of a named schema are shown wherever it is returned.
    expect(page).toContain("A date (YYYY-MM-DD) or a UTC date-time, depending on what was given");
  });

  test("begins with guides to what all endpoints have in common", () => {
    for (const title of ["Access", "Requests and errors", "Long lists", "Writing together", "Assistants"])
      expect(page).toContain(`>${title}</h2>`);
  });

  test("runs no script and loads nothing but its own style sheet", async () => {
    expect(page).not.toMatch(/<script|javascript:|\son\w+=|<iframe|<img|style=/i);
    const loaded = [...page.matchAll(/<link[^>]*href="([^"]*)"/g)].map(([, href]) => href);
    expect(loaded).toEqual(["/docs/style.css"]);
    const external = [...page.matchAll(/(?:href|src)="([^"]*)"/g)].filter(([, href = ""]) => !/^[/#]/.test(href));
    expect(external).toEqual([]);
    const style = await server.anonymous("GET", "/docs/style.css");
    expect(style.headers.get("Content-Type")).toBe("text/css; charset=utf-8");
    expect(style.body).not.toMatch(/url\(|@import/);
  });

  test("complies with the pages' content security policy, and is small", async () => {
    const response = await fetch(new URL("/docs", server.url));
    expect(response.headers.get("Content-Security-Policy")).toContain("default-src 'self'");
    const operations = page.split('<span class="method').length - 1;
    expect(operations).toBeGreaterThan(150);
    expect(Number(response.headers.get("Content-Length")) / operations).toBeLessThan(220);
  });

  test("tells models where to read on, at URLs that exist", async () => {
    const { status, headers, body } = await server.anonymous("GET", "/llms.txt");
    expect([status, headers.get("Content-Type")]).toEqual([200, "text/plain; charset=utf-8"]);
    const links = [...body.matchAll(/\]\((\/[^)]*)\)/g)].map(([, path]) => path);
    expect(links).toHaveLength(6);
    for (const path of links)
      expect([path, (await server.anonymous("GET", path)).status]).toEqual([path, /mcp|skill/.test(path) ? 401 : 200]);
  });

  test("has no broken links", () => {
    const ids = new Set([...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id));
    for (const [, target] of page.matchAll(/href="#([^"]*)"/g)) expect(ids).toContain(target);
    expect(ids.size).toBe([...page.matchAll(/\sid="/g)].length);
  });
});

test("values in a page are escaped", () => {
  expect(html`<p title="${`"'`}">${"<script>&"}${[html`<b>${1}</b>`, null]}</p>`.text).toBe(
    '<p title="&quot;&#39;">&lt;script&gt;&amp;<b>1</b></p>',
  );
});
