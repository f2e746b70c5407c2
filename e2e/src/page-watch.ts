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

/** Watches a page for one visitor. */
export async function watchPage(page: Page): Promise<PageWatch> {
  const watchAgain = await watchVisits(page);
  return watchAgain();
}

/** Watches a page for visitors who use it one after the other; each has a watch that begins with the call of what is returned. */
export async function watchVisits(page: Page): Promise<() => PageWatch> {
  let found: string[] = [];
  let expected: RegExp[] = [];
  let pending = new Set<Request>();
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
  const isToServer = (request: Request) => request.url().includes("/api/");
  page.on("request", (request) => {
    if (isToServer(request)) pending.add(request);
  });
  const onEnd = (request: Request) => pending.delete(request);
  page.on("requestfinished", onEnd);
  page.on("requestfailed", onEnd);
  return () => {
    const problems: string[] = [];
    // A browser logs every failed WebSocket connection, and that a document is gone when the page reads what has changed of it;
    // the page can prevent neither.
    const patterns = [/WebSocket connection to .* failed/, /status of 404 .*documents\.get/];
    const requests = new Set<Request>();
    found = problems;
    expected = patterns;
    pending = requests;
    return {
      problems,
      expect: (pattern) => patterns.push(pattern),
      settle: async () => {
        let idleRounds = 0;
        // A recent action may need a moment to become a request, and a response a moment to be shown.
        while (idleRounds < IDLE_ROUNDS) {
          await page.waitForTimeout(ROUND_MS);
          idleRounds = requests.size === 0 ? idleRounds + 1 : 0;
        }
      },
    };
  };
}
