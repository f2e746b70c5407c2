import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { Agent } from "node:https";
import { connect } from "node:net";
import { buffer } from "node:stream/consumers";

/** What the double has received, decrypted as a browser would. */
export interface ReceivedPush {
  readonly message: Record<string, unknown>;
  readonly headers: IncomingMessage["headers"];
  /** The claims of the sender's token, whose signature is that of the `k` sent with it. */
  readonly claims: Record<string, unknown>;
  readonly publicKey: string;
}

/** A browser's subscription to the double. */
export interface DoubleSubscription {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
  readonly received: readonly ReceivedPush[];
  /** Responds with this status from now on; null never responds. */
  respondWith(status: number | null, headers?: Record<string, string>): void;
  /** How many requests have come. */
  readonly requests: number;
}

/**
 * A push service over real HTTP, with browsers that decrypt what they get (RFC 8291). `agent` connects every host to it without TLS,
 * so that its endpoints can be what a server accepts.
 */
export async function startPushServiceDouble() {
  const handlers = new Map<string, (req: IncomingMessage) => Promise<{ status: number | null; headers: object }>>();
  const server = createServer((req, res) => {
    const handle = handlers.get(req.url ?? "");
    if (handle === undefined) return void res.writeHead(404).end();
    handle(req).then(
      ({ status, headers }) => status !== null && res.writeHead(status, { ...headers }).end("a text nobody reads"),
      (error: unknown) => res.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const agent = new Agent();
  agent.createConnection = () => connect(port, "127.0.0.1");

  return {
    agent,
    subscribe(): DoubleSubscription {
      const ecdh = createECDH("prime256v1");
      ecdh.generateKeys();
      const auth = randomBytes(16);
      const path = `/wpush/${randomBytes(12).toString("hex")}`;
      const received: ReceivedPush[] = [];
      let requests = 0;
      let response: { status: number | null; headers: object } = { status: 201, headers: {} };
      handlers.set(path, async (req) => {
        requests += 1;
        const body = await buffer(req);
        const message = JSON.parse(decrypt(body, { ecdh, auth }));
        received.push({ message, headers: req.headers, ...verifyToken(req.headers.authorization ?? "") });
        return response;
      });
      return {
        endpoint: `https://push.example.com${path}`,
        keys: { p256dh: ecdh.getPublicKey("base64url"), auth: auth.toString("base64url") },
        received,
        respondWith: (status, headers = {}) => {
          response = { status, headers };
        },
        get requests() {
          return requests;
        },
      };
    },
    async close() {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Decrypts a body in the content coding aes128gcm with one record. */
function decrypt(body: Buffer, { ecdh, auth }: { ecdh: ReturnType<typeof createECDH>; auth: Buffer }): string {
  const salt = body.subarray(0, 16);
  const keyLength = body[20] ?? 0;
  const senderKey = body.subarray(21, 21 + keyLength);
  const sealed = body.subarray(21 + keyLength);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), ecdh.getPublicKey(), senderKey]);
  const ikm = Buffer.from(hkdfSync("sha256", ecdh.computeSecret(senderKey), auth, info, 32));
  const derive = (purpose: string, length: number) =>
    Buffer.from(hkdfSync("sha256", ikm, salt, `Content-Encoding: ${purpose}\0`, length));
  const decipher = createDecipheriv("aes-128-gcm", derive("aes128gcm", 16), derive("nonce", 12));
  decipher.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2)).toString();
}

/** The token of RFC 8292. Throws if it is not signed by the key that comes with it. */
function verifyToken(authorization: string): Pick<ReceivedPush, "claims" | "publicKey"> {
  const [, token = "", publicKey = ""] = /^vapid t=([^,]+), k=(.+)$/.exec(authorization) ?? [];
  const [header = "", payload = "", signature = ""] = token.split(".");
  const point = Buffer.from(publicKey, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString("base64url"));
  const key = createPublicKey({ format: "jwk", key: { kty: "EC", crv: "P-256", x: x ?? "", y: y ?? "" } });
  const signed = Buffer.from(`${header}.${payload}`);
  const isSigned = verify("sha256", signed, { key, dsaEncoding: "ieee-p1363" }, Buffer.from(signature, "base64url"));
  if (!isSigned) throw new Error("The token is not signed by its key.");
  return { claims: JSON.parse(Buffer.from(payload, "base64url").toString()), publicKey };
}
