import { clientPart } from "./client-part.ts";

/** By then, what the data is shown with has been rendered, or is being rendered. */
const RENDERING_MS = 50;
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
      client.socket.onData(() => wait(RENDERING_MS)),
      client.connection.subscribe((state) => state !== "online" && wait(0)),
    );
    wait(client.connection.get() === "online" ? MAX_WAIT_MS : 0);
  }),
}));
