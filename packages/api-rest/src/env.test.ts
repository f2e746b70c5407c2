import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ConfigError, parseConfig } from "./env.ts";

const problemsOf = (env: Record<string, string>, rootDir = "/srv"): readonly string[] => {
  try {
    parseConfig(env, rootDir);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

describe("the configuration", () => {
  test("may name several database servers", () => {
    const DATABASE_URL = "postgresql://me@one:5433,two/workspace";
    expect(parseConfig({ DATABASE_URL }, "/srv").databaseUrl).toBe(DATABASE_URL);
    const problems = ["DATABASE_URL: expected a postgresql:// address"];
    expect(problemsOf({ DATABASE_URL: "postgresql://me@one:5433,two:x/workspace" })).toEqual(problems);
  });

  test.each([
    ["https://Example.org/", "https://example.org"],
    ["https://example.org/workspace/", "https://example.org/workspace"],
    ["http://127.0.0.1:8080/a/b-c_d.e~f", "http://127.0.0.1:8080/a/b-c_d.e~f"],
  ])("takes the public URL %s, with a path or without", (SERVICE_AUTH_URL, authUrl) => {
    expect(parseConfig({ SERVICE_AUTH_URL }, "/srv").authUrl).toBe(authUrl);
  });

  test.each([
    "https://example.org/?a=b",
    "https://example.org/#a",
    "https://me@example.org",
    "https://example.org/a b",
  ])("refuses the public URL %s", (SERVICE_AUTH_URL) => {
    expect(problemsOf({ SERVICE_AUTH_URL })).toEqual([
      "SERVICE_AUTH_URL: expected an address without a query, whose path has only letters, digits and - . _ ~",
    ]);
  });

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

  test.each([
    ["127.0.0.1", true],
    ["::1", true],
    ["localhost", true],
    ["0.0.0.0", false],
    ["192.168.0.7", false],
  ])("listening at %s, has open sign-up by default: %s", (HOST, isSignUpOpen) => {
    expect(parseConfig({ HOST }, "/srv")).toMatchObject({ host: HOST, accessMode: "localhost", isSignUpOpen });
    expect(parseConfig({ HOST, SIGN_UP: "open" }, "/srv").isSignUpOpen).toBe(true);
  });

  test("listens to the world and closes sign-up when others may reach it", () => {
    expect(parseConfig({ ACCESS_MODE: "any" }, "/srv")).toMatchObject({ host: "0.0.0.0", isSignUpOpen: false });
    expect(parseConfig({ ACCESS_MODE: "any", SIGN_UP: "open" }, "/srv").isSignUpOpen).toBe(true);
    expect(
      parseConfig({ ACCESS_MODE: "specific", ALLOWED_ORIGINS: "https://a.example/, http://b:8080" }, "/srv")
        .allowedOrigins,
    ).toEqual(["https://a.example", "http://b:8080"]);
  });

  test("has an embedding model only if there is one, with access of its own", () => {
    const ofChat = { OPENAI_API_KEY: "chat", OPENAI_BASE_URL: "http://chat.example/v1", OPENAI_MODEL: "chat" };
    expect(parseConfig(ofChat, "/srv").models.embeddings).toBeNull();
    expect(problemsOf({ ...ofChat, EMBEDDINGS_MODEL: "vectors" })).toEqual([
      "EMBEDDINGS_MODEL: requires EMBEDDINGS_API_KEY or EMBEDDINGS_BASE_URL",
    ]);
    const own = { EMBEDDINGS_MODEL: "vectors", EMBEDDINGS_BASE_URL: "http://localhost:1/v1" };
    expect(parseConfig({ ...ofChat, ...own, EMBEDDINGS_DIMENSIONS: "256" }, "/srv").models.embeddings).toEqual({
      apiKey: "none",
      baseUrl: "http://localhost:1/v1",
      model: "vectors",
      dimensions: 256,
    });
    expect(problemsOf({ ...own, EMBEDDINGS_DIMENSIONS: "1" })).toEqual(["EMBEDDINGS_DIMENSIONS: expected at least 2"]);
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
    expect(
      problemsOf({ PORT: "80a", ACCESS_MODE: "specific", SERVICE_ENCRYPTION_KEY_PREVIOUS: "p".repeat(32) }),
    ).toEqual([
      "PORT: expected a whole number",
      "ALLOWED_ORIGINS: must name at least one origin when ACCESS_MODE is specific",
      "SERVICE_ENCRYPTION_KEY_PREVIOUS: requires SERVICE_ENCRYPTION_KEY",
    ]);
  });

  describe("of a file of prices", () => {
    const directory = mkdtempSync(join(tmpdir(), "workspace-prices-"));
    afterAll(() => rmSync(directory, { recursive: true }));
    const writePrices = (text: string): string => {
      writeFileSync(join(directory, "prices.json"), text);
      return "prices.json";
    };

    test("overrides the built-in prices", () => {
      const MODEL_PRICES = writePrices('{"mine": {"input": 1, "output": 2}}');
      const { prices } = parseConfig({ MODEL_PRICES }, directory).models;
      expect(prices.get("mine")).toMatchObject({ inputPicoUsd: 1_000_000n });
    });

    test.each([
      [
        '{"a": {"input": 1}, "b": {"input": "x", "output": 1}}',
        ["a.output: is required", "b.input: expected a number"],
      ],
      ["[]", [expect.stringMatching(/^expected JSON such as {"<model>": [^\n]*$/)]],
      ["{", [expect.stringMatching(/^expected JSON such as {"<model>": [^\n]*\(.*JSON.*\)$/)]],
    ])("lists what is wrong with %s in words, beside other problems", (text, expected) => {
      const MODEL_PRICES = writePrices(text);
      const [first, ...others] = problemsOf({ MODEL_PRICES, PORT: "80a" }, directory);
      const start = `MODEL_PRICES: ${join(directory, MODEL_PRICES)}: `;
      expect(first).toBe("PORT: expected a whole number");
      expect(others.map((problem) => problem.replace(start, ""))).toEqual(expected);
    });

    test("reports one that is not there", () => {
      expect(problemsOf({ MODEL_PRICES: "/nowhere.json" })).toEqual([
        expect.stringMatching(/^MODEL_PRICES: \/nowhere\.json: cannot be read \(ENOENT: [^\n]*\)$/),
      ]);
    });
  });

  test("takes an empty variable for an unset one", () => {
    expect(parseConfig({ PORT: "", VAULT_PATH: "" }, "/srv")).toMatchObject({
      port: 3000,
      vaultPath: "/srv/data/vault",
    });
  });

  test("takes the current encryption key first, and the previous one only together with it", () => {
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

  test("reads transcripts below the assistants' own folders by default", () => {
    expect(parseConfig({ CLAUDE_CONFIG_DIR: "/conf" }, "/srv").transcriptRoots).toContain("/conf/projects");
    expect(parseConfig({ TRANSCRIPT_ROOTS: "/a:b:" }, "/srv").transcriptRoots).toEqual(["/a", "/srv/b"]);
  });
});

describe("traces", () => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = "http://localhost:4318";

  test("are sent if there is an endpoint, with all of OpenTelemetry's variables for its library", () => {
    expect(parseConfig({}, "/srv").tracing).toBeNull();
    const given = { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_BSP_MAX_QUEUE_SIZE: "100" };
    expect(parseConfig(given, "/srv").tracing).toEqual({ protocol: "http/protobuf", environment: given });
    const forTraces = {
      ...given,
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
    };
    expect(problemsOf(forTraces)).toEqual([
      "OTEL_EXPORTER_OTLP_PROTOCOL: expected http/protobuf or http/json; OTLP over gRPC is not supported",
    ]);
  });

  test.each([
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "localhost:4318"],
    ["OTEL_TRACES_EXPORTER", "zipkin"],
    ["OTEL_TRACES_SAMPLER", "sometimes"],
    ["OTEL_TRACES_SAMPLER_ARG", "10%"],
    ["OTEL_TRACES_SAMPLER_ARG", "2"],
  ])("are refused with %s=%s", (name, value) => {
    expect(problemsOf({ OTEL_EXPORTER_OTLP_ENDPOINT, [name]: value })).toEqual([expect.stringContaining(`${name}: `)]);
  });
});
