import { clientPart } from "./client-part.ts";

/** By then, what the data is shown with is being rendered. */
const RENDERING_MS = 50;
/** A browser that has more to do than to show the data is not waited for any longer. */
const MAX_RENDERING_MS = 500;
/** Where no data is read, or it takes very long, everything else waits no longer. */
const MAX_WAIT_MS = 2_000;

/** What a page does without until it shows its first data waits for that, so that it does not compete with it for the connection. */
export const firstData = clientPart((client) => ({
  /** Resolves once the first data is shown, or will not be soon, for example because there is no connection. */
  shown: new Promise<void>((resolve) => {
    const stops: (() => void)[] = [];
    const end = () => {
      stops.forEach((stop) => stop());
      resolve();
    };
    const wait = (ms: number) => setTimeout(end, ms);
    stops.push(
      client.socket.onData(() => setTimeout(() => afterRendering(end), RENDERING_MS)),
      client.connection.subscribe((state) => state !== "online" && wait(0)),
    );
    wait(client.connection.get() === "online" ? MAX_WAIT_MS : 0);
  }),
}));

/** A browser is idle once it has rendered; one that does not say so is not waited for. */
function afterRendering(end: () => void): void {
  if ("requestIdleCallback" in window) requestIdleCallback(end, { timeout: MAX_RENDERING_MS });
  else end();
}
