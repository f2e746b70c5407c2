import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";

/** A message that the receiver has got, with the signature verified by a library that others wrote. */
export interface ReceivedWebhook {
  readonly path: string;
  readonly id: string;
  readonly headers: IncomingMessage["headers"];
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** How a path responds: a status, or whatever a test does with the response. */
export type WebhookResponder = number | ((response: ServerResponse) => void);

/**
 * A receiver of webhooks over real HTTP, which can have many paths. A message whose signature does not verify gets 401 and is counted
 * as `refused`.
 */
export async function startWebhookReceiver(port = 0) {
  const received: ReceivedWebhook[] = [];
  const secrets = new Map<string, string>();
  const responders = new Map<string, WebhookResponder>();
  let refused = 0;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? "";
    const body = await text(request);
    const secret = secrets.get(path);
    try {
      if (secret !== undefined) new Webhook(secret).verify(body, toHeaders(request.headers));
    } catch {
      refused += 1;
      response.writeHead(401).end();
      return;
    }
    const id = String(request.headers["webhook-id"]);
    received.push({ path, id, headers: request.headers, body, ...JSON.parse(body) });
    const respond = responders.get(path) ?? 204;
    if (typeof respond === "number") response.writeHead(respond).end();
    else respond(response);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const ownPort = typeof address === "object" ? (address?.port ?? 0) : 0;

  return {
    port: ownPort,
    /** All messages, in the order in which they came. */
    received,
    /** How many did not verify. */
    get refused() {
      return refused;
    },
    urlOf: (path: string): string => `http://127.0.0.1:${ownPort}${path}`,
    /** Verifies the messages to a path from now on. */
    verify: (path: string, secret: string): void => void secrets.set(path, secret),
    respond: (path: string, responder: WebhookResponder): void => void responders.set(path, responder),
    of: (path: string): ReceivedWebhook[] => received.filter((message) => message.path === path),
    /** Ends at once, like a process that dies. */
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export type WebhookReceiver = Awaited<ReturnType<typeof startWebhookReceiver>>;

function toHeaders(headers: IncomingMessage["headers"]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
