import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE_PATH = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const axeSource = await readFile(AXE_PATH, "utf8");

interface AxeViolation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** What depends on the colours of a page, and not on its structure. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** All serious and critical problems that axe finds on the page in its current state, or only those of its colours. */
export async function findAccessibilityProblems(page: Page, { hasOnlyColours = false } = {}): Promise<string[]> {
  // Not through a script tag, which the content security policy forbids.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeSource);
  const violations = await page.evaluate(
    async (options) => {
      const { axe } = window as unknown as {
        axe: { run(options: object): Promise<{ violations: AxeViolation[] }> };
      };
      return (await axe.run(options)).violations;
    },
    { resultTypes: ["violations"], ...(hasOnlyColours && { runOnly: COLOUR_RULES }) },
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary ?? ""}`));
}
