import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, it } from "vitest";
import { createApiClient, type ApiClient } from "./api-client.ts";
import { createHookSession } from "./assistant-data.ts";
import { launchBrowser } from "./browser.ts";
import { startServer, type TestServer } from "./server.ts";
import { createVisitor, type Visitor } from "./visitor.ts";

let server: TestServer;
let browser: Browser;
let api: ApiClient;
let one: Visitor;
let other: Visitor;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  api = await createApiClient(server);
});

afterAll(async () => {
  await browser.close();
  await server.close();
});

beforeEach(async () => {
  [one, other] = await Promise.all([createVisitor(browser, server), createVisitor(browser, server)]);
});

afterEach(async () => {
  const problems = [...one.watch.problems, ...other.watch.problems];
  await Promise.all([one.close(), other.close()]);
  if (problems.length > 0) throw new Error(`The pages complained:\n${problems.join("\n")}`);
});

const rowIn = ({ page }: Visitor, name: RegExp) => page.getByRole("row", { name });

it("what a program and another window change appears without a reload", async () => {
  await Promise.all([one, other].map(({ page }) => page.goto("/tasks?view=list")));
  await one.page.getByText("No tasks yet").or(one.page.getByRole("grid")).first().waitFor();
  const [task] = await api.mutateAll<{ id: string }>("tasks.create", [{ title: "Told by a program" }]);
  for (const visitor of [one, other]) await rowIn(visitor, /Told by a program/).waitFor();
  await rowIn(one, /Told by a program/).click();
  await one.page.getByRole("complementary", { name: "Task" }).getByRole("button", { name: "To do" }).click();
  await one.page.getByRole("option", { name: "Blocked" }).click();
  await rowIn(other, /Told by a program/)
    .getByRole("button", { name: "Status: Blocked" })
    .waitFor();
  await api.mutateAll("tasks.delete", [{ id: task?.id }]);
  for (const visitor of [one, other]) await rowIn(visitor, /Told by a program/).waitFor({ state: "detached" });
});

it("what happened while the connection was lost is there when it is back", async () => {
  await one.page.goto("/secrets");
  await one.page.getByText("No secrets yet").waitFor();
  await one.watch.settle();
  one.watch.expect(/ERR_INTERNET_DISCONNECTED/);
  await one.context.setOffline(true);
  await api.mutateAll("secrets.create", [{ key: "MADE_MEANWHILE", value: "made-meanwhile" }]);
  await one.context.setOffline(false);
  await rowIn(one, /MADE_MEANWHILE/).waitFor();
});

it("the activity on the home page names what others change, and leads to it", async () => {
  await api.mutateAll("tasks.create", [{ title: "There from the beginning", status: "in_progress" }]);
  await one.page.goto("/");
  const activity = one.page.getByRole("region", { name: "Activity" });
  await activity.getByText("appears here as it happens").waitFor();
  await api.mutateAll("memory.store", [{ content: "Herons stand still.", chunkType: "fact" }]);
  await api.mutateAll("projects.create", [{ name: "Pond", color: "#3b82f6" }]);
  await activity.getByText("Memory created").waitFor();
  await activity.getByRole("link", { name: "Pond" }).click();
  await one.page.getByRole("heading", { level: 1, name: "Pond" }).waitFor();
});

it("an assistant's calls run into the open timeline", async () => {
  await one.page.goto("/hooks");
  await one.watch.settle();
  await createHookSession(api);
  await rowIn(one, /Force pushes to main are not allowed/).waitFor();
});
