import { afterAll, beforeAll, expect, test } from "vitest";
import { ADMIN, startTestServer, type TestServer } from "./test-server.ts";

let server: TestServer;

beforeAll(async () => {
  // So that the tests can use any number of addresses.
  server = await startTestServer({ TRUST_PROXY: "on", SIGN_UP: "open" });
  await server.withToken("POST", "/api/fs/write", { body: { path: "/note.md", content: "text" } });
});
afterAll(() => server.close());

const signIn = (email: string, password: string, address: string) =>
  server.anonymous("POST", "/api/auth/sign-in/email", {
    body: { email, password },
    headers: { "X-Forwarded-For": address },
  });
const strangers = (count: number, net: string) =>
  Promise.all(
    Array.from({ length: count }, (_, index) => signIn(`u${index}@example.com`, "wrong password", `${net}.${index}`)),
  );

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

test("thirty concurrent sign-ins do not delay reading files", async () => {
  const waits: number[] = [];
  const crowd = { isOver: false };
  const all = timeOf(async () => {
    const responses = await strangers(30, "10.1.0");
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 401));
    crowd.isOver = true;
  });
  while (!crowd.isOver) {
    waits.push(await timeOf(() => server.anonymous("GET", "/api/health")));
    waits.push(await timeOf(() => server.withToken("GET", "/api/fs/raw?path=/note.md")));
  }
  const total = await all;
  expect(waits.length).toBeGreaterThan(10);
  // They are hashed one at a time; a read must not wait for all of them.
  expect(Math.max(...waits)).toBeLessThan(total / 2);
});

test("sign-ins beyond the queue are 503 with Retry-After, and do not count as attempts", async () => {
  const crowd = strangers(60, "10.2.0");
  const own = Promise.all(Array.from({ length: 8 }, () => signIn(ADMIN.email, "wrong password", "10.3.0.1")));
  const [others, refused] = await Promise.all([crowd, own]);
  const busy = [...others, ...refused].filter(({ status }) => status === 503);
  expect(busy.length).toBeGreaterThan(0);
  for (const { headers, body } of busy) {
    expect(headers.get("retry-after")).toBe("5");
    expect(body).toMatchObject({ statusCode: 503, statusMessage: "Service Unavailable" });
  }
  expect(others.every(({ status }) => status === 401 || status === 503)).toBe(true);
  const counted = refused.filter(({ status }) => status === 401).length;
  for (let attempt = counted; attempt < 5; attempt += 1) {
    expect((await signIn(ADMIN.email, "wrong password", "10.3.0.1")).status).toBe(401);
  }
  expect((await signIn(ADMIN.email, "wrong password", "10.3.0.1")).status).toBe(429);
});

test("changing a password and signing up wait in the same queue", async () => {
  const member = await server.signIn();
  const crowd = strangers(60, "10.7.0");
  const body = { currentPassword: "wrong password", newPassword: "another password" };
  const account = { name: "Eve", email: "eve@example.com", password: "a long password" };
  const changes = Array.from({ length: 4 }, () => member("POST", "/api/auth/change-password", { body }));
  const signUps = Array.from({ length: 4 }, () =>
    server.anonymous("POST", "/api/auth/sign-up/email", { body: account }),
  );
  for (const requests of [changes, signUps]) {
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    expect(statuses).toContain(503);
  }
  await crowd;
});
