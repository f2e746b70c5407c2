import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { UnauthorizedError, type OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { checkThemes, takeScreenshot } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";

/** A program that speaks MCP is given access by browser. It is the official client; where it listens is a real server. */

const dashboard = setUpDashboard();
let program: Awaited<ReturnType<typeof startProgram>>;

beforeEach(async () => {
  program = await startProgram();
});

/** Where the browser is sent back to, and what an assistant keeps. */
async function startProgram() {
  let onAnswer: (answer: URLSearchParams) => void;
  const answered = new Promise<URLSearchParams>((resolve) => (onAnswer = resolve));
  const server = createServer((req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? "/", "http://localhost");
    if (pathname === "/callback") onAnswer(searchParams);
    res.setHeader("Content-Type", "text/html");
    res.end("<!doctype html><title>Program</title><link rel=icon href=data:,><p>Back in the program.</p>");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  const redirectUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  const kept: { client?: any; tokens?: any; verifier?: string; url?: URL } = {};
  const authProvider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { client_name: "Garden assistant", redirect_uris: [redirectUrl] },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    redirectToAuthorization: (url) => void (kept.url = url),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier ?? "",
  };
  const connect = async () => {
    const client = new Client({ name: "garden", version: "1" });
    const transport = new StreamableHTTPClientTransport(new URL("/mcp", dashboard.server.url), { authProvider });
    return { client, transport, connected: client.connect(transport) };
  };
  const first = await connect();
  await expect(first.connected).rejects.toThrow(UnauthorizedError);
  return {
    url: kept.url?.href ?? "",
    kept,
    answered,
    finish: first.transport.finishAuth.bind(first.transport),
    connect,
  };
}

it("after signing in, with what the user allows and no more, until the user revokes it", async () => {
  const { page, watch } = await dashboard.visit({ isSignedIn: false });
  await page.goto(program.url);
  await page.getByLabel("Email").fill(dashboard.server.email);
  await page.getByLabel("Password").fill(dashboard.server.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { name: "“Garden assistant” asks for access" }).waitFor();
  await page.getByText(/^A program on this computer will receive its key, at 127\.0\.0\.1:\d+\./).waitFor();
  expect(await page.getByRole("checkbox", { checked: true }).count()).toBeGreaterThan(5);
  expect(await checkThemes(page, "authorize")).toEqual([]);
  await page.getByRole("button", { name: "Reading only" }).click();
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByText("Back in the program.").waitFor();
  await program.finish((await program.answered).get("code") ?? "");

  const { client, connected } = await program.connect();
  await connected;
  onTestFinished(() => client.close());
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain("tasks_list");
  expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);

  await page.goto("/connect?view=keys");
  const row = page.getByRole("row", { name: /Garden assistant/ });
  await row.getByRole("button", { name: /Revoke/ }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /Revoke/ })
    .click();
  await page.getByText("No keys yet").waitFor();
  await watch.settle();
  await expect(client.listTools()).rejects.toThrow();
});

it("nothing, if the user refuses", async () => {
  const { page } = await dashboard.visit({ size: "phone" });
  await page.goto(program.url);
  await page.getByRole("heading", { name: "“Garden assistant” asks for access" }).waitFor();
  await takeScreenshot(page, "authorize-phone");
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await page.getByRole("button", { name: "Refuse" }).click();
  await page.getByText("Back in the program.").waitFor();
  expect((await program.answered).get("error")).toBe("access_denied");
  expect(
    (await page.request.get(`${dashboard.server.url}/api/api-keys`).then((response) => response.json())).data,
  ).toEqual([]);
});

it("nothing by a double click that began on the page of another site", async () => {
  const { page } = await dashboard.visit();
  await page.clock.install();
  await page.goto(program.url);
  const allow = page.getByRole("button", { name: "Allow" });
  await allow.click({ trial: true });
  await page.clock.pauseAt(Date.now() + 60_000);
  // The other page has closed itself at the first click. Without a window, every page is in front, and is told nothing.
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await allow.click({ force: true });
  expect(await allow.isDisabled()).toBe(true);
  expect(await allow.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.clock.resume();
  await allow.click();
  await page.getByText("Back in the program.").waitFor();
});

it("says so if the program is not known, or the request was changed", async () => {
  const { page, watch } = await dashboard.visit();
  const url = new URL(program.url);
  url.searchParams.set("client_id", crypto.randomUUID());
  await page.goto(url.href);
  await page.getByRole("heading", { name: "This program is not known here" }).waitFor();
  url.searchParams.set("client_id", "https://program.example/about.json");
  await page.goto(url.href);
  await page.getByText(/It can register here instead/).waitFor();
  await page.getByRole("link", { name: "create a key" }).waitFor();
  expect(await checkThemes(page, "authorize-unknown")).toEqual([]);
  watch.expect(/400/);
  await page.goto("/authorize?request=changed");
  await page.getByRole("heading", { name: "This cannot be decided" }).waitFor();
});

it("says in full who receives the key, however long its address is", async () => {
  const { page } = await dashboard.visit({ size: "phone" });
  const host = `workspace.${`${"long".repeat(15)}.`.repeat(3)}elsewhere.example`;
  const uri = `https://${host}/callback`;
  const data = { client_name: "Workspace".repeat(20), redirect_uris: [uri] };
  const registered = await page.request.post(`${dashboard.server.url}/oauth/register`, { data });
  const { client_id: clientId } = await registered.json();
  await page.goto(
    `/oauth/authorize?client_id=${clientId}&response_type=code&code_challenge=x&code_challenge_method=S256`,
  );
  const destination = page.getByText(`The site ${host} will receive its key.`);
  await destination.waitFor();
  for (const element of [page.getByRole("heading"), destination])
    expect(await element.evaluate(({ scrollWidth }) => scrollWidth <= innerWidth)).toBe(true);
});

it("says so if the program asks wrongly, and does not open an address elsewhere", async () => {
  const { page } = await dashboard.visit();
  const data = { client_name: "Elsewhere", redirect_uris: ["https://elsewhere.example/callback"] };
  const registered = await page.request.post(`${dashboard.server.url}/oauth/register`, { data });
  const { client_id: clientId } = await registered.json();
  await page.goto(
    `/oauth/authorize?client_id=${clientId}&response_type=code&code_challenge=x&code_challenge_method=plain`,
  );
  await page.getByRole("heading", { name: "The program has asked wrongly" }).waitFor();
  await page.getByText(/Its request lacks something/).waitFor();
  await page.goto(`/oauth/authorize?client_id=${clientId}&redirect_uri=https://elsewhere.example/`);
  await page.getByText(/with which it has not registered/).waitFor();
  expect(new URL(page.url()).origin).toBe(dashboard.server.url);
});
