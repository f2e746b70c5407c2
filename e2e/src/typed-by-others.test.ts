import type { Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { sendMessage } from "./conversation.ts";
import { setUpDashboard } from "./dashboard.ts";
import { setUpModelDouble } from "./model-double.ts";
import type { Visitor } from "./visitor.ts";

/** One browser that several people use: what one has typed is of nobody else, also if their session has ended meanwhile. */

const model = setUpModelDouble("gpt-5-mini");
const dashboard = setUpDashboard(model.settings);
const GRACE = { name: "Grace", email: "grace@example.com", password: "long enough" };
let visitor: Visitor;
let page: Page;

beforeEach(async () => {
  visitor = await dashboard.visit({ loadsAhead: true });
  ({ page } = visitor);
  visitor.watch.expect(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|RequestError|fetching the script|40[149]/);
});

const editor = () => page.locator(".cm-content");
const message = () => page.getByRole("textbox", { name: "Message" });

async function post(path: string, data: object): Promise<number> {
  const headers = { origin: dashboard.server.url };
  return (await visitor.context.request.post(`/api/auth/${path}`, { data, headers })).status();
}

/** Another session takes the place of the one that the browser has. */
async function becomeGrace(): Promise<void> {
  const isNew = (await post("sign-up/email", GRACE)) === 200;
  expect(isNew || (await post("sign-in/email", GRACE)) === 200).toBe(true);
}

async function becomeAda(): Promise<void> {
  const { email, password } = dashboard.server;
  expect(await post("sign-in/email", { email, password })).toBe(200);
}

/** A page whose user is known to be this one. */
async function open(path: string, name: string): Promise<void> {
  await page.goto(path);
  await page.getByRole("button", { name }).waitFor();
}

describe("what somebody has typed and the server does not have", () => {
  it("is not shown to the next user of the browser nor saved as theirs, but when its author is back", async () => {
    const id = await visitor.vault.write("Trip.md", "Pack the tent.\n");
    await open(`/documents?doc=${id}`, "Ada Lindqvist");
    await editor().getByText("Pack the tent.").click();
    await visitor.context.setOffline(true);
    await page.keyboard.press("Control+End");
    await page.keyboard.type("Half a thought");
    await page.getByText("Saved on this device").waitFor();
    await becomeGrace();
    await visitor.context.setOffline(false);
    await open(`/documents?doc=${id}`, "Grace");
    await editor().getByText("Pack the tent.").waitFor();
    expect(await editor().textContent()).not.toContain("Half a thought");
    await open("/tasks?view=list", "Grace");
    expect((await visitor.vault.read("Trip.md")).content).toBe("Pack the tent.\n");

    await becomeAda();
    await open("/tasks?view=list", "Ada Lindqvist");
    await expect
      .poll(async () => (await visitor.vault.read("Trip.md")).content, { timeout: 30_000 })
      .toContain("Half a thought");
  });

  it("in the chat is neither shown to nor sent for the next user", async () => {
    let isConnected = false;
    await page.routeWebSocket("**/api/ws*", (route) => void (isConnected ? route.connectToServer() : route.close()));
    await open("/chat", "Ada Lindqvist");
    await sendMessage(page, "Of the first user");
    await page.goto("/favicon.svg");
    await becomeGrace();
    isConnected = true;
    model.double.reply({ text: "Hello Grace" });
    await open("/chat", "Grace");
    expect(await message().inputValue()).toBe("");
    await sendMessage(page, "Of the second user");
    await page.getByText("Hello Grace").waitFor();
    expect(await page.getByText("Of the first user").count()).toBe(0);
    const { data } = await (await visitor.context.request.get("/api/conversations")).json();
    expect(data.map(({ title }: { title: string }) => title)).toEqual(["Of the second user"]);

    await page.goto("/favicon.svg");
    await becomeAda();
    model.double.reply({ text: "Hello Ada" });
    await open("/chat", "Ada Lindqvist");
    await page.getByText("Hello Ada").waitFor();
  });

  it("is not shown to somebody who signs in on the same page", async () => {
    await becomeGrace();
    await becomeAda();
    await open("/chat", "Ada Lindqvist");
    await message().fill("Not even sent");
    await page.getByRole("button", { name: "Ada Lindqvist" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByLabel("Email").fill(GRACE.email);
    await page.getByLabel("Password").fill(GRACE.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("button", { name: "Grace" }).waitFor();
    await open("/chat", "Grace");
    expect(await message().inputValue()).toBe("");
  });
});
