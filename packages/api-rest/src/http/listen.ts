import { once } from "node:events";
import { connect, createServer, type Server } from "node:net";
import type { Config } from "../env.ts";
import { StartError } from "../start-error.ts";

/** A port that takes longer to answer is not one of this machine, or is so busy that listening there will tell. */
const PROBE_TIMEOUT_MS = 1_000;

/** The server cannot listen where it is to. */
export class ListenError extends StartError {
  readonly failure: string;
  /** The sentence that mends it. */
  readonly remedy: string;

  constructor({ port, host }: Pick<Config, "port" | "host">, code: unknown, options?: ErrorOptions) {
    const failure = `Cannot listen on ${host}:${port}.`;
    const remedy = remedyFor(code);
    super(`${failure} ${remedy}`, options);
    this.failure = failure;
    this.remedy = remedy;
  }
}

/**
 * The configured port, unless another program accepts connections there, or for 0 a free one. A configured port is not listened on
 * to find out: a proxy that expects this service there would connect, and its request would be lost. Throws {@link ListenError}.
 */
export async function choosePort({ port, host }: Pick<Config, "port" | "host">): Promise<number> {
  const probe = createServer();
  // First, because a network may accept connections to addresses that no machine has.
  await listenOn(probe, 0, host).catch((error: unknown) => {
    throw new ListenError({ port, host }, codeOf(error), { cause: error });
  });
  const address = probe.address();
  const closed = once(probe, "close");
  probe.close();
  await closed;
  if (address === null || typeof address === "string") throw new Error("The system did not assign a free port.");
  if (port !== 0 && (await isAccepting(port, host))) throw new ListenError({ port, host }, "EADDRINUSE");
  return port === 0 ? address.port : port;
}

/** Throws {@link ListenError} if the server cannot listen there. */
export async function listen(server: Server, port: number, host: string): Promise<void> {
  await listenOn(server, port, host).catch((error: unknown) => {
    throw new ListenError({ port, host }, codeOf(error), { cause: error });
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

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

function remedyFor(code: unknown): string {
  if (code === "EADDRINUSE") return "Is another program using it? Set PORT to change it.";
  if (code === "EACCES") return "Ports below 1024 need special privileges. Set PORT to change it.";
  return "Set HOST to an address of this machine.";
}
