import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seededSecrets } from "../../tests/corpus/secrets.ts";
import { PRIVATE_MARK, withoutPrivateParts } from "./private-parts.ts";
import { redactText, redactValue } from "./redact.ts";

const LIMITS = { maxTextLength: 1_000, maxTotalLength: 5_000 };

describe("secrets", () => {
  test("of 30 families are found, in 99 of 100 cases", () => {
    const seeded = seededSecrets();
    expect(new Set(seeded.map(({ family }) => family)).size).toBeGreaterThanOrEqual(30);
    const missed = seeded.filter(({ text, secret }) => redactText(text).value.includes(secret));
    expect(missed.length / seeded.length).toBeLessThanOrEqual(0.01);
  });

  test("leave the text around them", () => {
    const { value, secrets } = redactText('DB_PASSWORD="hunter2-Xy9" and user=ada, see https://example.com');
    expect(value).toBe('DB_PASSWORD="[redacted:assignment]" and user=ada, see https://example.com');
    expect(secrets).toBe(1);
  });

  test.each([
    ["DB_PASSWORD=Xk9$mQ2vLp7w", "Xk9", "mQ2vLp7w"],
    ["MYSQL_ROOT_PASSWORD: a$B3kd92mz", "a$B", "3kd92mz"],
    ["mysql --password Xk9$mQ2vLp7w", "Xk9", "mQ2vLp7w"],
    [String.raw`{"password":"a\"b9Kz7 spaced pass"}`, "b9Kz7", "spaced pass"],
    [String.raw`{\"password\":\"a\\\"b9Kz7 spaced pass\"}`, "b9Kz7", "spaced pass"],
    ["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", "wQzRt", "VbNmL"],
    ["machine api.x.com login ada password Qw83mznXc", "Qw83mznXc"],
    ["machine api.x.com\n  login ada\n  password swordfish", "swordfish"],
    ["CREATE USER app IDENTIFIED BY 'Xk9mQ2vLp7w'", "Xk9mQ2vLp7w"],
    ["ALTER USER app IDENTIFIED WITH caching_sha2_password BY 'swordfish'", "swordfish"],
    ["CREATE ROLE app WITH LOGIN PASSWORD 'Xk9mQ2vLp7w'", "Xk9mQ2vLp7w"],
    ["PGPASSWORD=Xk9mQ2v psql", "Xk9mQ2v"],
    ["SSHPASS=swordfish sshpass -e ssh host", "=swordfish"],
    ["The password is Gx7!pQ9z-Lm.", "Gx7!pQ9z-Lm"],
    ["the password for ada@x.com is hunter2", "hunter2"],
    ["set the password to Sommer2024", "Sommer2024"],
    ["Das Passwort ist Gx7!pQ9z-Lm", "Gx7!pQ9z-Lm"],
    ["Das Kennwort für die Datenbank lautet: Gx7!pQ9z-Lm", "Gx7!pQ9z-Lm"],
    ["Passwort: Gx7!pQ9z-Lm", "Gx7!pQ9z-Lm"],
    ["workspace-hooks run --secret DB_URL -- mysql --password Xk9mQ2vLp7w", "Xk9mQ2vLp7w"],
    ["workspace-hooks run --secret A -- x; y --secret JBSWY3DPEHPK3PXP", "JBSWY3DPEHPK3PXP"],
    [`AIza${"aB3".repeat(12)}`, "aB3"],
    [`AKIA${"Q7ZK".repeat(4)}X`, "Q7ZK"],
  ])("in %j are removed entirely", (text, ...parts) => {
    const { value, secrets } = redactText(text);
    expect(secrets).toBe(1);
    for (const part of parts) expect(value).not.toContain(part);
  });

  test.each([
    "workspace-hooks run --secret DB_PASSWORD --secret STRIPE_KEY=API_KEY -- node migrate.js",
    "npx workspace-hooks run --secret=DEPLOY_TOKEN -- ./deploy.sh",
    "const password = getPassword();",
    "password: string",
    "const password = input.password",
    "DB_PASSWORD=$OTHER_PASSWORD",
    "DB_PASSWORD=${OTHER_PASSWORD}",
    "DB_PASSWORD=$(cat /run/secrets/db)",
    "PASSWORD: $DB_PASSWORD",
    "mysql --password $DB_PASSWORD --password=${X}",
    `install --api-token "$SERVICE_API_TOKEN"`,
    "TOKEN=ci-$BUILD_ID",
    "OLDPWD=/home/ada PWD=/home/ada",
    "the password is required",
    "The password is SHA256-hashed, the token is base64-encoded.",
    "The password is 8-16 characters, the token is HS256 and the secret is 128-bit.",
    "the password is case-sensitive; the api key is read from .env.local",
    "Das Passwort ist ungültig, das Token ist IPv4-gebunden",
    "the token is AUTH_TOKEN_2",
    "the first pass is done, the second pass was 12s",
    'password: "At least 8 characters, hashed by SHA256 or OAuth2"',
    '"invalidPassword": "The password is wrong"',
    "default login page with password field",
    "hf_download_model_from_the_hub_and_cache",
    "Users are identified by 'id'",
    "token: string;",
    'password: "password"',
    "export const MAX_TOKENS = 4096;",
    "apiKey: process.env.API_KEY,",
    "secret = config.secret",
    'key: "user.name"',
    "if (token === null) return;",
    "https://example.com:8080/path?x=1",
    "git@github.com:ada/app.git",
    "import { readToken } from './token.ts';",
    "password must be at least 8 characters",
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    "550e8400-e29b-41d4-a716-446655440000",
    "ls /tmp/hands-assistants-McpCRA/claude-code-2.1.332/bin",
    "cd /tmp/workspace-assistants-Ho8OgC/codex-0.169.0/project",
  ])("are not detected in %j", (code) => expect(redactText(code).value).toBe(code));

  test("that are the name of a file are", () => {
    expect(redactText("cat /tmp/keys/aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5").value).toBe("cat [redacted:random]");
  });

  test("that are known are found anywhere", () => {
    expect(redactText("x-plainlookingkey-y", ["plainlookingkey"]).value).toBe("x-[redacted:known-secret]-y");
  });

  test("take time linear in the length of the text", () => {
    for (const text of [
      "password=",
      "a.",
      "eyJ",
      "x-token:",
      "://:",
      "key_",
      "-----BEGIN PRIVATE KEY-----",
      "curl ",
      'token="',
    ]) {
      const startedAt = performance.now();
      redactText(text.repeat(60_000 / text.length));
      expect(performance.now() - startedAt).toBeLessThan(5_000);
    }
  });
});

describe("private parts", () => {
  test.each([
    ["a <private>b</private> c", `a ${PRIVATE_MARK} c`],
    ["<private>a</private><private>b</private>", PRIVATE_MARK + PRIVATE_MARK],
    ["a <private>b", `a ${PRIVATE_MARK}`],
    ["a <PRIVATE>b</Private> c", `a ${PRIVATE_MARK} c`],
    ["<private>a <private>b</private> c</private> d", `${PRIVATE_MARK} d`],
    ["a </private> b", "a </private> b"],
    ["nothing", "nothing"],
  ])("%j becomes %j", (text, expected) => expect(withoutPrivateParts(text)).toBe(expected));

  test("are always removed, however they are nested", () => {
    const piece = fc.constantFrom("<private>", "</private>", "SECRET", "x", " ");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const text = `<private>${pieces.filter((item) => item !== "</private>").join("")}</private>${pieces.includes("SECRET") ? "" : "y"}`;
        expect(withoutPrivateParts(text)).not.toContain("SECRET");
      }),
    );
  });
});

describe("redactValue", () => {
  test("removes secrets at any depth, by their format and by the key's name", () => {
    const { value, secrets } = redactValue(
      {
        a: [{ b: `ghp_${"a1".repeat(18)}` }],
        clientSecret: "plain words",
        password: "abcd",
        maxTokens: "many",
        n: 1,
        x: null,
      },
      LIMITS,
    );
    expect(value).toEqual({
      a: [{ b: "[redacted:github-token]" }],
      clientSecret: "[redacted:clientsecret]",
      password: "[redacted:password]",
      maxTokens: "many",
      n: 1,
      x: null,
    });
    expect(secrets).toBe(3);
  });

  test("truncates long texts without leaving half a secret", () => {
    const { value, wasCut } = redactValue(
      { text: `${"x ".repeat(490)}ghp_${"a1".repeat(18)}${" y".repeat(2_000)}` },
      LIMITS,
    );
    expect(JSON.stringify(value)).not.toContain("ghp_");
    expect(wasCut).toBe(true);
  });

  test("returns values that a database accepts, whatever the input", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: "binary" }), (json, text) => {
        const { value } = redactValue({ json: json as never, text: `${text}\0\uD800` }, LIMITS);
        const stored = JSON.stringify(value);
        expect(stored).not.toContain(String.raw`\u0000`);
        expect(stored).not.toContain(String.raw`\ud800`);
        expect(stored.length).toBeLessThan(40_000);
      }),
      { numRuns: 300 },
    );
  });

  test("limits depth, number and length", () => {
    let deep: unknown = "x";
    for (let level = 0; level < 500; level += 1) deep = { deep };
    const { value, wasCut } = redactValue(
      { deep: deep as never, many: Array.from({ length: 5_000 }, () => "y".repeat(100)) },
      LIMITS,
    );
    expect(wasCut).toBe(true);
    expect(JSON.stringify(value).length).toBeLessThan(LIMITS.maxTotalLength * 2);
  });
});
