import type { Page, Request } from "playwright-core";

const ROUND_MS = 25;
const IDLE_ROUNDS = 3;

/** What went wrong in a page without anybody asking: errors, warnings of the policy, failed requests. */
export interface PageWatch {
  readonly problems: readonly string[];
  /** Problems that the test has caused on purpose are not to be told. */
  expect(pattern: RegExp): void;
  /** Waits until everything that was asked of the server is answered. */
  settle(): Promise<void>;
}

export async function watchPage(page: Page): Promise<PageWatch> {
  const found: string[] = [];
  // A browser complains of every attempt to reach a server that is away, which the page cannot keep it from.
  const expected: RegExp[] = [/WebSocket connection to .* failed/];
  const note = (problem: string) => {
    if (!expected.some((pattern) => pattern.test(problem))) found.push(problem);
  };
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") note(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => note(`error: ${error.message}`));
  await page.exposeFunction("tellPolicyViolation", (violation: string) => note(`policy: ${violation}`));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      const { tellPolicyViolation } = window as unknown as { tellPolicyViolation: (violation: string) => void };
      tellPolicyViolation(`${violatedDirective} ${blockedURI}`);
    });
  });
  const pending = new Set<Request>();
  const isToServer = (request: Request) => request.url().includes("/api/");
  page.on("request", (request) => {
    if (isToServer(request)) pending.add(request);
  });
  const onEnd = (request: Request) => pending.delete(request);
  page.on("requestfinished", onEnd);
  page.on("requestfailed", onEnd);
  return {
    problems: found,
    expect: (pattern) => expected.push(pattern),
    settle: async () => {
      let idleRounds = 0;
      // What was just done may need a moment to become a request, and an answer a moment to be shown.
      while (idleRounds < IDLE_ROUNDS) {
        await page.waitForTimeout(ROUND_MS);
        idleRounds = pending.size === 0 ? idleRounds + 1 : 0;
      }
    },
  };
}
