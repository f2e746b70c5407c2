import type { Page, Request } from "playwright-core";

const ROUND_MS = 25;
const IDLE_ROUNDS = 3;

/** Collects a page's problems: errors, policy violations and failed requests. */
export interface PageWatch {
  readonly problems: readonly string[];
  /** Ignores problems that the test causes on purpose. */
  expect(pattern: RegExp): void;
  /** Waits until all requests to the server have been answered. */
  settle(): Promise<void>;
}

export async function watchPage(page: Page): Promise<PageWatch> {
  const found: string[] = [];
  // A browser logs every failed WebSocket connection, which the page cannot prevent.
  const expected: RegExp[] = [/WebSocket connection to .* failed/];
  const note = (problem: string) => {
    if (!expected.some((pattern) => pattern.test(problem))) found.push(problem);
  };
  page.on("console", (message) => {
    const { url } = message.location();
    if (message.type() === "error" || message.type() === "warning") note(`console: ${message.text()} ${url}`.trim());
  });
  page.on("pageerror", (error) => note(`error: ${error.message}`));
  await page.exposeFunction("reportPolicyViolation", (violation: string) => note(`policy: ${violation}`));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      const { reportPolicyViolation } = window as unknown as { reportPolicyViolation: (violation: string) => void };
      reportPolicyViolation(`${violatedDirective} ${blockedURI}`);
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
      // A recent action may need a moment to become a request, and a response a moment to be shown.
      while (idleRounds < IDLE_ROUNDS) {
        await page.waitForTimeout(ROUND_MS);
        idleRounds = pending.size === 0 ? idleRounds + 1 : 0;
      }
    },
  };
}
