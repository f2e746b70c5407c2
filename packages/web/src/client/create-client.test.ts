import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { toasts } from "../components/toast.ts";
import { undoStack } from "../undo/undo-stack.ts";
import { collectionPart } from "./collection-part.ts";
import { createClient } from "./create-client.ts";

interface Note {
  readonly id: string;
}

const notes = collectionPart<Note>((a, b) => a.id === b.id);

/** An event target that counts its listeners. */
class CountingTarget extends EventTarget {
  listeners = 0;

  override addEventListener(type: string, listener: EventListener, options?: AddEventListenerOptions): void {
    super.addEventListener(type, listener, options);
    this.listeners += 1;
    options?.signal?.addEventListener("abort", () => (this.listeners -= 1));
  }
}

let window: CountingTarget;
let document: CountingTarget;

beforeEach(() => {
  [window, document] = [new CountingTarget(), new CountingTarget()];
  vi.stubGlobal("window", window);
  vi.stubGlobal("document", document);
  vi.stubGlobal("navigator", { onLine: true, userAgent: "" });
});

afterEach(() => vi.unstubAllGlobals());

describe("a client", () => {
  it("shares no state with another client", () => {
    const [one, other] = [createClient(), createClient()];
    notes(one).put([{ id: "a" }]);
    expect(notes(one).get("a")).toEqual({ id: "a" });
    expect(notes(other).get("a")).toBeUndefined();
    expect(notes(one)).toBe(notes(one));
  });

  it("drops what was read and done in a session when the session ends", () => {
    const client = createClient();
    notes(client).put([{ id: "a" }]);
    client.queries.setQueryData(["notes"], { count: 1 });
    undoStack(client).offer({ id: "1", label: "Deleted a note", undo: () => expect.unreachable() });
    client.forget();
    expect(notes(client).get("a")).toBeUndefined();
    expect(client.queries.getQueryData(["notes"])).toBeUndefined();
    expect(undoStack(client).undoLast()).toBe(false);
  });

  it("shows a toast once a host is attached, unless the session has ended by then", () => {
    const client = createClient();
    const shown: string[] = [];
    const host = { show: ({ message }: { message: string }) => shown.push(message), dismiss: () => undefined };
    toasts(client).show({ message: "from the previous session" });
    client.forget();
    toasts(client).show({ message: "early" });
    const detach = toasts(client).attach(host);
    toasts(client).show({ message: "late" });
    detach();
    toasts(client).show({ message: "unseen" });
    expect(shown).toEqual(["early", "late"]);
  });

  it("listens to the browser until it is disposed of", () => {
    const client = createClient();
    expect(window.listeners).toBeGreaterThan(0);
    expect(document.listeners).toBeGreaterThan(0);
    client.dispose();
    expect([window.listeners, document.listeners]).toEqual([0, 0]);
  });
});
