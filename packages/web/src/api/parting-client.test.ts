import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { partingClient as PartingClient } from "./parting-client.ts";

let sent: RequestInit[];
let answerAll: () => void;

beforeEach(() => {
  sent = [];
  const isAnswered = new Promise<void>((resolve) => {
    answerAll = resolve;
  });
  vi.resetModules();
  vi.stubGlobal("navigator", { onLine: true });
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("fetch", async (_: string, init: RequestInit) => {
    sent.push(init);
    await isAnswered;
    return Response.json({ result: { data: null } });
  });
});

afterEach(() => vi.unstubAllGlobals());

describe("a request of a page that may be about to go", () => {
  it("is sent before a timer runs, and outlives the page", async () => {
    const { partingClient } = await import("./parting-client.ts");
    vi.useFakeTimers();
    const saved = update(partingClient, "short");
    await runPromises();
    vi.useRealTimers();
    expect(sent.map(({ keepalive }) => keepalive)).toEqual([true]);
    answerAll();
    await saved;
  });

  it("is an ordinary one where browsers would refuse it, alone or together with those under way", async () => {
    const { partingClient } = await import("./parting-client.ts");
    const first = ["ä".repeat(40_000), "x".repeat(40_000), "y".repeat(40_000)].map((body) =>
      update(partingClient, body),
    );
    await vi.waitFor(() => expect(sent.map(({ keepalive }) => keepalive === true)).toEqual([false, true, false]));
    answerAll();
    await Promise.all(first);
    await update(partingClient, "z".repeat(40_000));
    expect(sent.at(-1)?.keepalive).toBe(true);
  });
});

/** More turns of the queue of promises than a request takes to be sent. */
const TURNS = 30;

async function runPromises(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await Promise.resolve();
}

function update(client: typeof PartingClient, body: string): Promise<unknown> {
  return client.documents.update.mutate({ id: "a", body, expectedHash: "h1" });
}
