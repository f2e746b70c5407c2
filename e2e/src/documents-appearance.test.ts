import { describe, expect, it } from "vitest";
import { checkThemes } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";

const dashboard = setUpDashboard();

describe.each(["desktop", "phone"] as const)("documents on a %s", (size) => {
  it("have no serious accessibility problems in either theme, and no errors", async () => {
    const { context, page, vault, watch } = await dashboard.visit({ size });
    watch.expect(/404/);
    for (const path of ["Inbox/Ideas.md", "Trips/Lisbon.md", "Trips/Porto/Hotel.md", "Reading list.md", "scan.pdf"]) {
      await vault.write(path, `# ${path}\n`);
    }
    await vault.write("Old.md", "old");
    const deletion = { data: { path: "Old.md" }, headers: { origin: dashboard.server.url } };
    expect((await context.request.post("/api/fs/delete", deletion)).status()).toBe(200);
    const id = await vault.write("Looks.md", NOTE);
    const problems: string[] = [];
    for (const [name, address] of [
      ["files", "/documents"],
      ["note", `/documents?doc=${id}`],
      ["deleted", "/deleted?kind=document"],
    ] as const) {
      await page.goto(address);
      await page.waitForLoadState("networkidle");
      problems.push(...(await checkThemes(page, `documents-${name}-${size}`)));
    }
    await page.goto(`/documents?doc=${id}`);
    await page.getByRole("button", { name: "Read", exact: true }).click();
    await page.getByRole("heading", { name: "Looks" }).waitFor();
    problems.push(...(await checkThemes(page, `documents-reading-${size}`)));
    expect(problems).toEqual([]);
    const text = page.getByRole("document", { name: "Text" });
    expect(await text.evaluate(({ clientWidth, scrollWidth }) => scrollWidth - clientWidth)).toBe(0);
    await text.getByText("Gone cannot be shown").waitFor();
  });
});

/** A table that is wider than any page. */
function wideTable(columnCount: number): string {
  const row = (cell: string) => `|${` ${cell} |`.repeat(columnCount)}`;
  return [row("A heading"), row("---"), row("A value")].join("\n");
}

const NOTE = `# Looks

Some **bold** text with a [[Missing]] link, \`code\` and a [site](https://example.com).

- [x] done
- [ ] to do
- a bullet

> a quote

${wideTable(20)}

![Gone](gone.png)

\`\`\`
${"a long line of code, ".repeat(20)}
\`\`\`
`;
