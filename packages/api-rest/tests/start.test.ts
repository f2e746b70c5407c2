import { stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ADMIN } from "./credentials.ts";
import { makeDataDir, start } from "./service-process.ts";

const passwordIn = (output: string) => /^ {2}password: (\S+)$/m.exec(output)?.[1];

describe("the first start", () => {
  test("creates a private data directory, a user and a password that is printed once", async () => {
    const dataDir = await makeDataDir();
    const first = start(dataDir);
    const url = await first.ready;
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    expect((await stat(join(dataDir, "service-secret"))).mode & 0o777).toBe(0o600);
    const password = passwordIn(first.output());
    const response = await fetch(`${url}/api/auth/sign-in/email`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ email: "admin@workspace.local", password }),
    });
    expect(response.status).toBe(200);
    const cookie = response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    expect(await (await fetch(`${url}/api/health`)).json()).toMatchObject({
      data: { status: "ok", database: { deployment: "embedded", available: true } },
    });

    expect(await first.stop()).toBe(0);
    const second = start(dataDir, { PORT: new URL(url).port });
    await second.ready;
    expect(passwordIn(second.output())).toBeUndefined();
    expect((await fetch(`${url}/api/tasks`, { headers: { Cookie: cookie } })).status).toBe(200);
  });

  test("creates the first user from the configuration, and warns of a name that is misspelt", async () => {
    const service = start(await makeDataDir(), {
      BAKUP_DIR: "/backups",
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      ADMIN_NAME: ADMIN.name,
    });
    const url = await service.ready;
    const response = await fetch(`${url}/api/auth/sign-in/email`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ email: ADMIN.email, password: ADMIN.password }),
    });
    expect(await response.json()).toMatchObject({ user: { name: ADMIN.name, email: ADMIN.email } });
    expect(service.output()).not.toContain(ADMIN.password);
    expect(service.output()).toContain("BAKUP_DIR is not a setting and is ignored. Was BACKUP_DIR meant?");
  });
});

describe("stopping", () => {
  test.each(["SIGTERM", "SIGINT"] as const)("by %s is graceful and quick, including the database", async (signal) => {
    const dataDir = await makeDataDir();
    const service = start(dataDir);
    const url = await service.ready;
    // An open connection must not delay it.
    await fetch(`${url}/api/health`);
    const startedAt = performance.now();
    service.child.kill(signal);
    expect(await service.exited).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    await expect(stat(join(dataDir, "postgres/postmaster.pid"))).rejects.toThrow("ENOENT");
  });
});
