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

interface Axe {
  /** All its rules. A rule's impact is that of all problems it finds. */
  readonly _audit: { readonly rules: readonly { readonly id: string; readonly impact: string }[] };
  run(options: object): Promise<{ violations: AxeViolation[] }>;
}

/** What depends on the colours of a page, and not on its structure. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** The impacts of the problems that are reported. */
const IMPACTS: readonly (string | null)[] = ["serious", "critical"];

/** All serious and critical problems that axe finds on the page in its current state, or only those of its colours. */
export async function findAccessibilityProblems(page: Page, { hasOnlyColours = false } = {}): Promise<string[]> {
  // Not through a script tag, which the content security policy forbids.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeSource);
  const violations = await page.evaluate(
    async ({ runOnly, impacts }) => {
      const { axe } = window as unknown as { axe: Axe };
      const { _audit: audit } = axe;
      const others = audit.rules.filter(({ impact }) => !impacts.includes(impact));
      const rules = Object.fromEntries(others.map(({ id }) => [id, { enabled: false }]));
      const options = runOnly === undefined ? { rules } : { runOnly };
      return (await axe.run({ resultTypes: ["violations"], ...options })).violations;
    },
    { runOnly: hasOnlyColours ? COLOUR_RULES : undefined, impacts: IMPACTS },
  );
  return violations
    .filter(({ impact }) => IMPACTS.includes(impact))
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary ?? ""}`));
}
