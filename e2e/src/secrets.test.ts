import { expect, it } from "vitest";
import { checkThemes } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";

const dashboard = setUpDashboard();

it("a command is allowed to use a secret in a folder, and no longer", async () => {
  const { page, watch } = await dashboard.visit();
  await dashboard.api.mutateAll("secrets.create", [{ key: "NPM_TOKEN", value: "npm_0123456789" }]);
  await page.goto("/secrets?secret=NPM_TOKEN");
  await page.getByRole("button", { name: "Allow a command" }).click();
  const grants = page.getByRole("region", { name: "Commands that may use it" });
  await grants.getByLabel("Command").fill("npm publish");
  await grants.getByLabel("Folder").fill("code/shop");
  await grants.getByText("It must start with /.").waitFor();
  expect(await checkThemes(page, "secret-grant-form")).toEqual([]);
  await grants.getByLabel("Folder").fill("/home/ada/code/shop/");
  await grants.getByRole("button", { name: "Allow" }).click();
  const row = grants.getByRole("listitem");
  await row.getByText("/home/ada/code/shop", { exact: true }).waitFor();
  expect(await checkThemes(page, "secret-grants")).toEqual([]);
  await watch.settle();
  await row.getByRole("button", { name: "Do not allow npm publish in /home/ada/code/shop" }).click();
  await row.waitFor({ state: "detached" });
});
