import { beforeEach, it } from "vitest";
import { createHookSession } from "./assistant-data.ts";
import { setUpDashboard } from "./dashboard.ts";
import type { Visitor } from "./visitor.ts";

const dashboard = setUpDashboard();
let one: Visitor;
let other: Visitor;

/** A page that has received changes before names the last one. */
const FIRST_CONNECTION = /\/api\/ws(\?pageUser=[^&]*)?$/;

beforeEach(async () => {
  [one, other] = await Promise.all([dashboard.visit(), dashboard.visit()]);
});

const rowIn = ({ page }: Visitor, name: RegExp) => page.getByRole("row", { name });

it("changes made by a program and in another window appear without a reload", async () => {
  await Promise.all([one, other].map(({ page }) => page.goto("/tasks?view=list")));
  await one.page.getByText("No tasks yet").or(one.page.getByRole("grid")).first().waitFor();
  const [task] = await dashboard.api.mutateAll<{ id: string }>("tasks.create", [{ title: "Changed by a program" }]);
  for (const visitor of [one, other]) await rowIn(visitor, /Changed by a program/).waitFor();
  await rowIn(one, /Changed by a program/).click();
  await one.page.getByRole("complementary", { name: "Task" }).getByRole("button", { name: "To do" }).click();
  await one.page.getByRole("option", { name: "Blocked" }).click();
  await rowIn(other, /Changed by a program/)
    .getByRole("button", { name: "Status: Blocked" })
    .waitFor();
  // Its open panel may still ask for parts of the task before it hears that there is none any more.
  one.watch.expect(/status of 404/);
  await dashboard.api.mutateAll("tasks.delete", [{ id: task?.id }]);
  for (const visitor of [one, other]) await rowIn(visitor, /Changed by a program/).waitFor({ state: "detached" });
});

it("changes made after the data was read and before the connection was opened appear", async () => {
  let openConnection = (): void => undefined;
  await one.page.routeWebSocket(FIRST_CONNECTION, (socket) => {
    openConnection = () => void socket.connectToServer();
  });
  await one.page.goto("/secrets");
  await secretsOf(one).waitFor();
  await one.watch.settle();
  await createAnnouncedSecret("MADE_BEFORE_IT");
  openConnection();
  await rowIn(one, /MADE_BEFORE_IT/).waitFor();
});

it("changes made while data was on its way, before the connection was opened, appear", async () => {
  const isRead = signal();
  const isChanged = signal();
  const isConnected = signal();
  await one.page.routeWebSocket(FIRST_CONNECTION, async (socket) => {
    await isChanged.given;
    const server = socket.connectToServer();
    server.onMessage((message) => {
      socket.send(message);
      isConnected.give();
    });
  });
  await one.page.route(/secrets\.list/, async (route) => {
    const response = await route.fetch();
    isRead.give();
    await isConnected.given;
    await route.fulfill({ response });
  });
  await one.page.goto("/secrets");
  await isRead.given;
  await createAnnouncedSecret("MADE_ON_THE_WAY");
  isChanged.give();
  await rowIn(one, /MADE_ON_THE_WAY/).waitFor();
});

/** Creates a secret, and waits until a page that is already connected has received the change. */
async function createAnnouncedSecret(key: string): Promise<void> {
  await other.page.goto("/secrets");
  await secretsOf(other).waitFor();
  await other.watch.settle();
  await dashboard.api.mutateAll("secrets.create", [{ key, value: "made-meanwhile" }]);
  await rowIn(other, new RegExp(key)).waitFor();
}

const secretsOf = ({ page }: Visitor) => page.getByText("No secrets yet").or(page.getByRole("row")).first();

function signal(): { give(): void; readonly given: Promise<void> } {
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { give, given };
}

it("changes made while the connection was lost appear when it is back", async () => {
  await one.page.goto("/secrets");
  await secretsOf(one).waitFor();
  await one.watch.settle();
  one.watch.expect(/ERR_INTERNET_DISCONNECTED/);
  await one.context.setOffline(true);
  await dashboard.api.mutateAll("secrets.create", [{ key: "MADE_MEANWHILE", value: "made-meanwhile" }]);
  await one.context.setOffline(false);
  await rowIn(one, /MADE_MEANWHILE/).waitFor();
});

it("the activity on the home page names changed resources, and links to them", async () => {
  const activityOf = ({ page }: Visitor) => page.getByRole("region", { name: "Activity" });
  await other.page.goto("/");
  await activityOf(other).waitFor();
  await dashboard.api.mutateAll("tasks.create", [{ title: "There from the beginning", status: "in_progress" }]);
  await activityOf(other).getByRole("link", { name: "There from the beginning" }).waitFor();
  await one.page.goto("/");
  const activity = activityOf(one);
  await activity.getByText("appear here as they happen").waitFor();
  await dashboard.api.mutateAll("memory.store", [{ content: "Herons stand still.", chunkType: "fact" }]);
  await dashboard.api.mutateAll("projects.create", [{ name: "Pond", color: "#3b82f6" }]);
  await activity.getByText("Memory created").waitFor();
  await activity.getByRole("link", { name: "Pond" }).click();
  await one.page.getByRole("heading", { level: 1, name: "Pond" }).waitFor();
});

it("an assistant's calls appear in the open timeline", async () => {
  await one.page.goto("/hooks");
  await one.watch.settle();
  await createHookSession(dashboard.api);
  await rowIn(one, /Force pushes to main are not allowed/).waitFor();
});
