import type { IncomingMessage, OutgoingHttpHeaders, Server } from "node:http";
import type { Duplex } from "node:stream";
import {
  createSingleFlight,
  DomainError,
  ForbiddenError,
  InvalidInputError,
  NotFoundError,
  toPublicError,
  UnauthenticatedError,
  UnavailableError,
  type Clock,
  type Closable,
  type Logger,
  type Services,
  type UserPrincipal,
} from "@workspace/core";
import type { Listener } from "@workspace/db";
import { WebSocketServer, type WebSocket } from "ws";
import type { Authenticator } from "../auth/authenticator.ts";
import { clientAddressOf } from "../auth/client-address.ts";
import { CREDENTIALS_CHANNEL } from "../auth/credential-cache.ts";
import { isFromOwnPage, type OriginPolicy } from "../auth/origin-check.ts";
import { withoutBasePath } from "../http/base-path.ts";
import type { Connections } from "../http/connections.ts";
import type { HostCheck } from "../http/host-check.ts";
import { asksForWebSocket, createUpgradeIgnorer } from "../http/ignored-upgrade.ts";
import { assertPlainTarget } from "../http/plain-target.ts";
import { endWithError } from "../http/raw-response.ts";
import { createConnectedClients } from "./connected-clients.ts";
import { serveConnection } from "./connection.ts";
import { FRAME_RATE } from "./frame-budget.ts";
import { createSocketAdmission, SOCKET_LIMITS, type Caller } from "./socket-limits.ts";

const PATH = "/api/ws";
/** A message has at most 100,000 characters; this leaves room for escaping them. */
const MAX_PAYLOAD_BYTES = 1024 * 1024;
/** A client that sends a long message in fragments of 4 KiB needs a quarter of these. */
const MAX_FRAGMENTS = 512;
const HEARTBEAT_MS = 30_000;

export interface GatewayOptions {
  readonly http: Server;
  readonly connections: Connections;
  readonly clock: Clock;
  readonly trustsProxy: boolean;
  readonly basePath: string;
  readonly services: Pick<Services, "changes" | "chat" | "conversationFeed">;
  readonly authenticator: Authenticator;
  readonly originPolicy: OriginPolicy;
  readonly checkHost: HostCheck;
  /** Sent with every response, including refusals of an upgrade. */
  readonly responseHeaders: Readonly<OutgoingHttpHeaders>;
  readonly listener: Listener;
  readonly logger: Logger;
}

export interface Gateway extends Closable {
  /** How many sockets are connected to this process. */
  readonly socketCount: number;
}

/**
 * The WebSocket at `/api/ws`. Clients are authenticated before the upgrade, and again whenever a session changes and with every
 * heartbeat, so that a socket does not outlive its session. Closing the gateway closes all sockets. Requests for an upgrade to
 * anything else are served as if they did not ask for it.
 */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { http, connections, clock, trustsProxy, basePath, services, authenticator, originPolicy, checkHost } = options;
  const { responseHeaders, listener, logger } = options;
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAX_PAYLOAD_BYTES,
    maxFragments: MAX_FRAGMENTS,
    clientTracking: false,
    autoPong: false,
  });
  const clients = createConnectedClients(authenticator);
  const admission = createSocketAdmission(SOCKET_LIMITS, clock);
  const ignoreUpgrade = createUpgradeIgnorer(http, connections);

  let isClosing = false;

  async function admit(request: IncomingMessage): Promise<{ user: UserPrincipal; afterSeq: number | null }> {
    if (isClosing) throw new UnavailableError("The server is stopping.");
    const target = withoutBasePath(request.url ?? "", basePath);
    assertPlainTarget(target);
    checkHost(request);
    const { pathname, searchParams } = new URL(target, "http://host");
    if (pathname !== PATH) throw new NotFoundError("There is no WebSocket at this URL.");
    if (!isFromOwnPage(request.headers, originPolicy))
      throw new ForbiddenError("Requests from pages of other sites are refused.");
    const user = await authenticator.authenticate(request, null);
    // As the header X-Page-User, which a browser cannot send here.
    const pageUser = searchParams.get("pageUser") ?? user?.userId;
    if (user === null || user.userId !== pageUser) throw new UnauthenticatedError("Sign in, or send an API token.");
    return { user, afterSeq: readAfterSeq(searchParams.get("afterSeq")) };
  }

  function open(socket: WebSocket, request: IncomingMessage, user: UserPrincipal, afterSeq: number | null): void {
    const caller = callerOf(request, user);
    const leave = admission.enter(caller);
    const onViolation = (): void => admission.recordViolation(caller);
    const changes = serveConnection({ socket, user, afterSeq, frameRate: FRAME_RATE, onViolation, services, logger });
    clients.add({ socket, request, user, changes });
    socket.on("close", leave);
  }

  function callerOf(request: IncomingMessage, { userId }: UserPrincipal): Caller {
    return { userId, address: clientAddressOf(request, trustsProxy) };
  }

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { user, afterSeq } = await admit(request);
    admission.assertRoom(callerOf(request, user));
    server.handleUpgrade(request, socket, head, (webSocket) => open(webSocket, request, user, afterSeq));
  }

  function onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (!asksForWebSocket(request)) {
      ignoreUpgrade(request, socket, head);
      return;
    }
    socket.on("error", () => socket.destroy());
    upgrade(request, socket, head).catch((error: unknown) => {
      if (!(error instanceof DomainError)) logger.error({ err: error }, "an upgrade failed");
      const shown = toPublicError(error);
      const retryAfter = shown.retryAfterS !== undefined && { "Retry-After": shown.retryAfterS };
      endWithError(socket, shown, { ...responseHeaders, ...retryAfter });
    });
  }

  const checking = createSingleFlight(clients.checkSessions, (error) =>
    logger.warn({ err: error }, "the sessions of sockets could not be checked"),
  );
  const heartbeat = setInterval(() => {
    clients.checkAlive();
    checking.run();
  }, HEARTBEAT_MS);
  const stopListening = await listener.listen(CREDENTIALS_CHANNEL, (change) => {
    if (change.startsWith("session:") || change.startsWith("user:")) checking.run();
  });
  const unsubscribe = services.changes.subscribe({
    onChanges: clients.sendChanges,
    onGap: clients.sendGap,
  });
  http.on("upgrade", onUpgrade);

  return {
    get socketCount() {
      return clients.count;
    },

    async close() {
      isClosing = true;
      unsubscribe();
      stopListening();
      clearInterval(heartbeat);
      await checking.idle();
      await clients.close();
    },
  };
}

/** Throws for anything but a whole number. */
function readAfterSeq(text: string | null): number | null {
  if (text === null) return null;
  if (!/^\d{1,15}$/.test(text)) throw InvalidInputError.at("afterSeq", "expected a whole number");
  return Number(text);
}
