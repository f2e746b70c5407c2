import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createApiClient } from "./api-client.ts";
import { launchBrowser } from "./browser.ts";
import { startServer, type TestServer } from "./server.ts";
import { createVisitor, tryAgain, type Visitor, endVisit } from "./visitor.ts";

const REASON = "The disk of the server is full.";

let server: TestServer;
let browser: Browser;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  const api = await createApiClient(server);
  await api.mutateAll("tasks.create", [{ title: "Water the plants" }]);
});

afterAll(async () => {
  await browser.close();
  await server.close();
});

beforeEach(async () => {
  visitor = await createVisitor(browser, server);
  ({ page } = visitor);
});

afterEach(({ task }) => endVisit(visitor, task));

describe("a refused change", () => {
  it("is shown at once, taken back visibly, told with its reason, and can be tried again", async () => {
    const refusal = await refuse("tasks.update");
    await openTasks();
    await row().click();
    await panel().getByRole("button", { name: "To do" }).click();
    await page.getByRole("option", { name: "Blocked" }).click();
    await panel().getByRole("button", { name: "Blocked" }).waitFor();
    refusal.answer();
    await panel().getByRole("button", { name: "To do" }).waitFor();
    const alert = page.getByRole("alert");
    expect(await alert.textContent()).toContain(REASON);

    await refusal.stop();
    await alert.getByRole("button", { name: "Try again" }).click();
    await panel().getByRole("button", { name: "Blocked" }).waitFor();
    await visitor.watch.settle();
    await page.keyboard.press("Control+z");
    await panel().getByRole("button", { name: "To do" }).waitFor();
    await visitor.watch.settle();
  });

  it("keeps a written text, across a reload too, until it is saved or given up", async () => {
    const refusal = await refuse("tasks.update");
    refusal.answer();
    await openTasks();
    await row().click();
    await panel().getByLabel("Description").fill("Every other day");
    await panel().getByLabel("Description").blur();
    await panel().getByText(`Not saved: ${REASON}`).waitFor();
    await page.reload();
    await panel().getByText("Written earlier and not saved").waitFor();
    expect(await panel().getByLabel("Description").inputValue()).toBe("Every other day");

    await refusal.stop();
    await panel().getByRole("button", { name: "Save" }).click();
    await panel().getByText("Written earlier and not saved").waitFor({ state: "detached" });
    await page.reload();
    await panel().getByText("Every other day").waitFor();
  });
});

describe("without a connection", () => {
  it("says so, keeps what could not be saved, and saves it afterwards", async () => {
    visitor.watch.expect(/ERR_INTERNET_DISCONNECTED/);
    await openTasks();
    await visitor.context.setOffline(true);
    await page.getByText("Offline. You see what was loaded before.").waitFor();
    await page.keyboard.press("c");
    await page.keyboard.type("Made on the train");
    await page.keyboard.press("Enter");
    await page.getByText("“Made on the train” is not saved.").waitFor();
    await visitor.context.setOffline(false);
    await page.getByText("Offline. You see what was loaded before.").waitFor({ state: "detached" });
    const saved = page.waitForResponse(/tasks\.create/);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("“Made on the train” is not saved.").waitFor({ state: "detached" });
    expect((await saved).ok()).toBe(true);
    await page.reload();
    await page.getByText("Made on the train").waitFor();
  });

  it("says at the start that the server does not answer, and goes on when it does", async () => {
    visitor.watch.expect(/ERR_FAILED|RequestError/);
    await page.goto("/sign-in");
    await page.route("**/api/**", (route) => route.abort());
    await page.goto("/tasks?view=list");
    await page.getByText("Workspace cannot be reached").waitFor();
    await page.unroute("**/api/**");
    await tryAgain(page, row());
  });
});

describe("a closed sign-up", () => {
  it("is told, with the way back to the sign-in", async () => {
    visitor.watch.expect(/403/);
    await visitor.context.clearCookies();
    await page.route("**/api/auth/sign-up/email", (route) =>
      route.fulfill({
        status: 403,
        json: { statusCode: 403, statusMessage: "Forbidden", message: "Sign-up is closed." },
      }),
    );
    await page.goto("/sign-up");
    await page.getByLabel("Name").fill("Grace");
    await page.getByLabel("Email").fill("grace@example.com");
    await page.getByLabel("Password").fill("long enough");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Sign-up is closed" }).waitFor();
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Sign in to Workspace" }).waitFor();
  });
});

describe("what is being typed", () => {
  it("survives a reload in the quick add, with the fields chosen for it", async () => {
    await openTasks();
    await page.keyboard.press("c");
    await page.keyboard.type("Half a thought");
    await page.locator("form").getByRole("button", { name: "Priority: Medium" }).click();
    await page.getByRole("option", { name: "High" }).click();
    await page.reload();
    await page.locator("form").getByRole("button", { name: "Priority: High" }).waitFor();
    expect(await page.getByRole("textbox", { name: "New task" }).inputValue()).toBe("Half a thought");
  });

  it("survives the end of the session, and the sign-in leads back to it", async () => {
    visitor.watch.expect(/401/);
    await openTasks();
    await row().click();
    await panel().getByLabel("Description").fill("And not too much");
    await visitor.context.clearCookies();
    await panel().getByLabel("Description").blur();
    await page.getByText("Your session has ended").waitFor();
    await page.getByLabel("Email").fill(server.email);
    await page.getByLabel("Password").fill(server.password);
    await page.keyboard.press("Enter");
    await panel().getByText("Written earlier and not saved").waitFor();
    expect(await panel().getByLabel("Description").inputValue()).toBe("And not too much");
  });
});

async function openTasks(): Promise<void> {
  await page.goto("/tasks?view=list");
  await row().waitFor();
}

function row() {
  return page.locator("[data-task-id]", { hasText: "Water the plants" });
}

function panel() {
  return page.getByRole("complementary", { name: "Task" });
}

/** Refuses every call of a procedure, as soon as the test says so. */
async function refuse(procedure: string): Promise<{ answer(): void; stop(): Promise<void> }> {
  visitor.watch.expect(/500/);
  let answer: () => void = () => undefined;
  const isToBeAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const url = `**/api/trpc/${procedure}?*`;
  await page.route(url, async (route) => {
    await isToBeAnswered;
    const error = { message: REASON, code: -32603, data: { code: "INTERNAL_SERVER_ERROR", httpStatus: 500 } };
    await route.fulfill({ status: 500, contentType: "application/json", body: JSON.stringify([{ error }]) });
  });
  return { answer: () => answer(), stop: () => page.unroute(url) };
}
