import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createProviderClient } from "./provider-client.ts";

const MIB = 1024 * 1024;

let issuer: string;
let respond: (response: ServerResponse) => void;
const http = createServer((_request, response) => respond(response));
beforeEach(async () => {
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const address = http.address();
  issuer = `http://localhost:${typeof address === "object" ? address?.port : ""}`;
});
afterEach(async () => {
  http.closeAllConnections();
  http.close();
  await once(http, "close");
});

const createClient = () =>
  createProviderClient({
    provider: { issuer, clientId: "workspace", clientSecret: null, name: "Acme", domains: [] },
    redirectUrl: "http://localhost/callback",
    clock: { now: () => new Date() },
  });

function publish(endpoints: object): void {
  respond = (response) =>
    response
      .setHeader("content-type", "application/json")
      .end(JSON.stringify({ issuer, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/keys`, ...endpoints }));
}

test("a response without an end is not read to it", async () => {
  let written = 0;
  respond = (response) => {
    response.setHeader("content-type", "application/json");
    response.write('{"issuer":"');
    const more = (): void => {
      while (!response.destroyed && written < 64 * MIB) {
        written += MIB;
        if (!response.write("x".repeat(MIB))) return void response.once("drain", more);
      }
      response.end('"}');
    };
    more();
  };
  await expect(createClient().begin(false)).rejects.toMatchObject({ problem: "failed" });
  expect(written).toBeLessThan(64 * MIB);
});

test("a configuration that cannot be used is asked for again", async () => {
  const client = createClient();
  publish({ authorization_endpoint: "javascript:alert(1)" });
  await expect(client.begin(false)).rejects.toMatchObject({ problem: "failed" });
  publish({ authorization_endpoint: `${issuer}/auth` });
  expect((await client.begin(false)).url).toMatch(`${issuer}/auth?`);
});
