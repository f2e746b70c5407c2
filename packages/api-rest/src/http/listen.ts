import { once } from "node:events";
import { connect, createServer, type Server } from "node:net";
import type { Config } from "../env.ts";
import { StartError } from "../start-error.ts";

/** A port that takes longer to answer is not one of this machine, or is so busy that listening there will tell. */
const PROBE_TIMEOUT_MS = 1_000;

/**
 * The configured port, unless another program accepts connections there, or for 0 a free one. A configured port is not listened on
 * to find out: a proxy that expects this service there would connect, and its request would be lost. Throws {@link StartError}.
 */
export async function choosePort({ port, host }: Pick<Config, "port" | "host">): Promise<number> {
  if (port !== 0 && (await isAccepting(port, host)))
    throw new StartError(describeListenFailure("EADDRINUSE", port, host));
  const probe = createServer();
  await listenOn(probe, 0, host).catch((error: unknown) => {
    throw toStartError(error, port, host);
  });
  const address = probe.address();
  const closed = once(probe, "close");
  probe.close();
  await closed;
  if (address === null || typeof address === "string") throw new Error("The system did not assign a free port.");
  return port === 0 ? address.port : port;
}

/** Throws {@link StartError} if the server cannot listen there. */
export async function listen(server: Server, port: number, host: string): Promise<void> {
  await listenOn(server, port, host).catch((error: unknown) => {
    throw toStartError(error, port, host);
  });
}

async function listenOn(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  await once(server, "listening");
}

async function isAccepting(port: number, host: string): Promise<boolean> {
  const socket = connect(port, host);
  try {
    await once(socket, "connect", { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

function toStartError(error: unknown, port: number, host: string): StartError {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return new StartError(describeListenFailure(code, port, host), { cause: error });
}

function describeListenFailure(code: unknown, port: number, host: string): string {
  const failure = `Cannot listen on ${host}:${port}.`;
  if (code === "EADDRINUSE") return `${failure} Is another program using it? Set PORT to change it.`;
  if (code === "EACCES") return `${failure} Ports below 1024 need special privileges. Set PORT to change it.`;
  return `${failure} Set HOST to an address of this machine.`;
}
