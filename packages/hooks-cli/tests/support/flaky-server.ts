import { once } from "node:events";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** How the server behaves from now on. */
export type Behaviour =
  | "up"
  /** Accepts the request and never responds. */
  | "hanging"
  | "failing"
  /** Responds to every other request, and drops the connection of the others, half of them after storing the event. */
  | "flapping"
  | "unauthorized"
  /** Responds with something other than HTTP. */
  | "garbage";

export interface StoredEvent {
  readonly id: string;
  readonly eventType: string;
  readonly [field: string]: unknown;
}

export interface StoredMemory {
  readonly id: string;
  readonly chunkType: string;
  readonly content: string;
  readonly createdAt: string;
}

/** A small server that implements the part of the contract that the hooks use, and misbehaves on demand. */
export interface FlakyServer {
  readonly url: string;
  behaviour: Behaviour;
  /** By id, like the real one: a repeated event adds nothing. */
  readonly events: Map<string, StoredEvent>;
  /** How often an id arrived. */
  readonly arrivals: Map<string, number>;
  readonly requests: {
    readonly method: string;
    readonly url: string;
    readonly headers: IncomingMessage["headers"];
    readonly body: string;
  }[];
  /** What was handed over for memories to be extracted. */
  readonly transcripts: {
    readonly transcript: string;
    readonly sessionId: string;
    readonly projectPath: string;
    readonly extract?: boolean;
  }[];
  /** The lines about tokens of transcripts. */
  readonly usage: { readonly sessionId: string; readonly projectPath: string; readonly transcript: string }[];
  context: string;
  /** What the context consists of, and what is relevant for every prompt. */
  memories: readonly StoredMemory[];
  /** The responses to requests for a context that are sent once there are so many. */
  contextsAtOnce: number;
  readonly heldContexts: (() => void)[];
  /** What was given without the server, as reported later. */
  readonly injections: Record<string, unknown>[];
  /** What the memories rest on, and what hooks reported about it. */
  citations: readonly Record<string, unknown>[];
  readonly citationChecks: Record<string, unknown>[];
  memorySettings: Readonly<Record<string, unknown>>;
  policy: { readonly document: unknown; readonly version: number };
  /** Whether memories can be extracted. */
  hasModel: boolean;
  /** Events of this type are rejected with 400. */
  refusedType: string | undefined;
  close(): Promise<void>;
}

export async function startFlakyServer(port = 0): Promise<FlakyServer> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("error", () => undefined);
    request.on("end", () => answer(state, request, response, Buffer.concat(chunks).toString()));
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const state: FlakyServer = {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    behaviour: "up",
    events: new Map(),
    arrivals: new Map(),
    requests: [],
    transcripts: [],
    usage: [],
    context: "",
    memories: [],
    contextsAtOnce: 1,
    heldContexts: [],
    citations: [],
    citationChecks: [],
    memorySettings: {},
    injections: [],
    policy: { document: {}, version: 0 },
    hasModel: true,
    refusedType: undefined,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return state;
}

function answer(state: FlakyServer, request: IncomingMessage, response: ServerResponse, body: string): void {
  const { method = "", url = "", headers } = request;
  state.requests.push({ method, url, headers, body });
  switch (state.behaviour) {
    case "hanging":
      return;
    case "failing":
      return send(response, 500, { statusCode: 500, message: "broken" });
    case "unauthorized":
      return send(response, 401, { statusCode: 401, message: "no such key" });
    case "garbage":
      request.socket.end("SSH-2.0-OpenSSH_9.6\r\n\r\n");
      return;
    case "flapping": {
      const turn = state.requests.length % 4;
      if (turn === 1) return void request.socket.destroy();
      // The worst case: stored, but the client never gets a response.
      handle(state, method, url, body, turn === 3 ? undefined : response);
      if (turn === 3) request.socket.destroy();
      return;
    }
    case "up":
      return handle(state, method, url, body, response);
  }
}

function handle(
  state: FlakyServer,
  method: string,
  url: string,
  body: string,
  response: ServerResponse | undefined,
): void {
  const path = url.replace(/\?.*$/, "");
  const sessionId = /^\/api\/hooks\/sessions\/([^/]+)\/transcript$/.exec(path)?.[1];
  if (method === "POST" && sessionId !== undefined) {
    const handedOver = JSON.parse(body) as FlakyServer["transcripts"][number];
    if (handedOver.extract === true)
      state.transcripts.push({ ...handedOver, sessionId: decodeURIComponent(sessionId) });
    return send(response, 200, { data: null });
  }
  switch (`${method} ${path}`) {
    case "POST /api/hooks/events":
      return record(state, [JSON.parse(body) as StoredEvent], response);
    case "POST /api/hooks/events/batch":
      return record(state, (JSON.parse(body) as { events: StoredEvent[] }).events, response);
    case "GET /api/hooks/events":
      return send(response, 200, { data: [] });
    case "GET /api/hooks/policy":
      return send(response, 200, { data: { ...state.policy, updatedAt: null } });
    case "GET /api/hooks/extraction":
      return send(response, 200, { data: { isModelConfigured: state.hasModel, pending: 0, lastError: null } });
    case "GET /api/hooks/memory-settings":
      return send(response, 200, { data: state.memorySettings });
    case "GET /api/memory/context":
      state.heldContexts.push(() =>
        send(response, 200, { data: { memories: state.memories, formatted: state.context } }),
      );
      if (state.heldContexts.length >= state.contextsAtOnce)
        for (const respond of state.heldContexts.splice(0)) respond();
      return;
    case "POST /api/memory/injections": {
      const { injections } = JSON.parse(body) as { injections: Record<string, unknown>[] };
      state.injections.push(...injections);
      return send(response, 200, { data: { recorded: injections.length } });
    }
    case "GET /api/memory/citations":
      return send(response, 200, { data: state.citations });
    case "POST /api/memory/citations/checks": {
      const { checks } = JSON.parse(body) as { checks: Record<string, unknown>[] };
      state.citationChecks.push(...checks);
      return send(response, 200, { data: { changedIds: [] } });
    }
    case "GET /api/memory/project":
      return send(response, 200, { data: state.memories });
    case "POST /api/hooks/assistant-usage": {
      const usage = JSON.parse(body) as FlakyServer["usage"][number] | { readonly messages: readonly unknown[] };
      if ("transcript" in usage) state.usage.push(usage);
      const received = "messages" in usage ? usage.messages.length : 0;
      return send(response, 200, { data: { received, added: received, updated: 0 } });
    }
    case "POST /api/hooks/key/revoke":
      return send(response, 200, { data: { id: "1", name: "x" } });
    case "POST /api/api-keys":
      return send(response, 201, { data: { id: "1", key: "wk_made", name: "x", scopes: ["hooks"] } });
    case "POST /api/auth/sign-in/email":
      response?.setHeader("Set-Cookie", "session=abc; Path=/; HttpOnly");
      return send(response, 200, { user: {}, session: {} });
    default:
      return send(response, 404, { statusCode: 404, message: "not found" });
  }
}

function record(state: FlakyServer, events: readonly StoredEvent[], response: ServerResponse | undefined): void {
  if (events.some((event) => event.eventType === state.refusedType))
    return send(response, 400, { statusCode: 400, message: "eventType: no" });
  for (const event of events) {
    state.arrivals.set(event.id, (state.arrivals.get(event.id) ?? 0) + 1);
    if (!state.events.has(event.id)) state.events.set(event.id, event);
  }
  send(response, 201, { data: events.length === 1 ? events[0] : events });
}

function send(response: ServerResponse | undefined, status: number, body: unknown): void {
  response?.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}
