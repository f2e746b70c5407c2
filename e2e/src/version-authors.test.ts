import { expect, it } from "vitest";
import { checkThemes } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";
import { SIZES, type Size } from "./window.ts";

const dashboard = setUpDashboard();

it.each(Object.keys(SIZES) as Size[])("each version of a note says who wrote it, on a %s", async (size) => {
  const { api, server } = dashboard;
  const path = `pond-${size}.md`;
  const [key] = await api.mutateAll<{ key: string }>("apiKeys.create", [
    { name: "Laptop", scopes: ["knowledge:read", "knowledge:write"] },
  ]);
  const headers = { Authorization: `Bearer ${key?.key}`, "Content-Type": "application/json" };
  const append = (text: string, session: Record<string, string>) =>
    fetch(`${server.url}/api/v1/notes/append`, {
      method: "POST",
      headers: { ...headers, ...session },
      body: JSON.stringify({ path, text }),
    });
  await api.mutateAll("fs.write", [{ path, content: "# Pond\n\nIt needs a pump.\n" }]);
  await append("And a seal of 12 mm.", { "X-Assistant-Session": "session-1" });
  await append("And reeds.", {});

  const { page } = await dashboard.visit({ size });
  const [opened] = await api.mutateAll<{ document: { id: string } }>("documents.byPath", [{ path }]);
  await page.goto(`/documents?doc=${opened?.document.id}`);
  if (size === "phone") await page.getByRole("button", { name: "Properties, links and versions" }).tap();
  await page.getByRole("radio", { name: "Versions" }).click();
  const versions = page.getByRole("list", { name: "Versions" }).getByRole("button");
  await versions.nth(2).waitFor();
  expect(await versions.nth(0).textContent()).toContain("Laptop (program)");
  expect(await versions.nth(1).textContent()).toContain("Laptop (assistant)");
  expect(await versions.nth(2).textContent()).toContain("Ada Lindqvist");
  expect(await checkThemes(page, `version-authors-${size}`)).toEqual([]);
  if (size === "phone") return;

  await versions.nth(1).click();
  const earlier = page.getByRole("region", { name: "Earlier version" });
  await earlier.getByRole("table", { name: "Changes since this version" }).waitFor();
  expect(await earlier.getByRole("link", { name: "assistant" }).getAttribute("href")).toBe("/hooks/sessions/session-1");
  expect(await checkThemes(page, "version-author")).toEqual([]);
  await earlier.getByRole("button", { name: "Restore this version" }).click();
  await expect.poll(() => versions.nth(0).textContent()).toContain("Ada Lindqvist");
});
