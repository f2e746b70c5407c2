import { describe, expect, test } from "vitest";
import { ConfigError, parseConfig } from "./env.ts";

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    parseConfig(env, "/srv");
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

describe("the configuration", () => {
  test("has defaults for everything", () => {
    expect(parseConfig({}, "/srv")).toMatchObject({
      port: 3000,
      host: "127.0.0.1",
      dataDir: "/srv/data",
      vaultPath: "/srv/data/vault",
      databaseUrl: null,
      accessMode: "localhost",
      isSignUpOpen: true,
      apiToken: null,
      trustsProxy: false,
    });
  });

  test("listens to the world and closes sign-up when others may reach it", () => {
    expect(parseConfig({ ACCESS_MODE: "any" }, "/srv")).toMatchObject({ host: "0.0.0.0", isSignUpOpen: false });
    expect(parseConfig({ ACCESS_MODE: "any", SIGN_UP: "open" }, "/srv").isSignUpOpen).toBe(true);
    expect(
      parseConfig({ ACCESS_MODE: "specific", ALLOWED_ORIGINS: "https://a.example/, http://b:8080" }, "/srv")
        .allowedOrigins,
    ).toEqual(["https://a.example", "http://b:8080"]);
  });

  test("lists every problem at once, each with its variable", () => {
    expect(problemsOf({ PORT: "80a", ACCESS_MODE: "lan", ADMIN_PASSWORD: "short", DATABASE_URL: "mysql://x" })).toEqual(
      [
        "PORT: expected a whole number",
        "DATABASE_URL: expected a postgresql:// address",
        "ADMIN_PASSWORD: expected at least 8 characters",
        "ACCESS_MODE: expected localhost, specific or any",
      ],
    );
    expect(problemsOf({ PORT: "70000" })).toHaveLength(1);
    expect(problemsOf({ ACCESS_MODE: "specific" })).toHaveLength(1);
  });

  test("takes an empty variable for an unset one", () => {
    expect(parseConfig({ PORT: "", VAULT_PATH: "" }, "/srv")).toMatchObject({
      port: 3000,
      vaultPath: "/srv/data/vault",
    });
  });

  test("takes the newest encryption key first, and an older one only beside it", () => {
    const [newest, previous] = ["n".repeat(32), "p".repeat(32)];
    const keysOf = (env: Record<string, string>) => parseConfig(env, "/srv").encryptionKeys;
    expect(keysOf({})).toBeNull();
    expect(keysOf({ SERVICE_ENCRYPTION_KEY: newest })).toEqual([newest]);
    expect(keysOf({ SERVICE_ENCRYPTION_KEY: newest, SERVICE_ENCRYPTION_KEY_PREVIOUS: previous })).toEqual([
      newest,
      previous,
    ]);
    expect(problemsOf({ SERVICE_ENCRYPTION_KEY_PREVIOUS: previous })).toHaveLength(1);
    expect(problemsOf({ SERVICE_ENCRYPTION_KEY: "short" })).toEqual([
      "SERVICE_ENCRYPTION_KEY: expected at least 32 characters",
    ]);
  });

  test("reads transcripts below the assistants' own folders unless told otherwise", () => {
    expect(parseConfig({ CLAUDE_CONFIG_DIR: "/conf" }, "/srv").transcriptRoots).toContain("/conf/projects");
    expect(parseConfig({ TRANSCRIPT_ROOTS: "/a:b:" }, "/srv").transcriptRoots).toEqual(["/a", "/srv/b"]);
  });
});
