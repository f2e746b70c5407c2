import type { ApiClient, Input } from "./api-client.ts";

const HOUR_MS = 60 * 60 * 1000;

const MEMORIES: readonly Input[] = [
  {
    chunkType: "decision",
    content:
      "Retries of outgoing webhooks use exponential backoff with full jitter, five attempts, then the dead letter queue.",
    projectPath: "/home/ada/code/shop",
    sessionId: "0d3f6c1a-77aa-4b2e-9d55-1b1c6c0d0001",
    sourceExcerpt:
      "Let us go with exponential backoff and full jitter. Five attempts should be enough; whatever is left goes to the dead letter queue, where I look at it on Mondays.",
    relevanceScore: 0.95,
  },
  {
    chunkType: "fact",
    content: "The staging database is reset every night at 3:00 from an anonymised dump of production.",
    projectPath: "/home/ada/code/shop",
    relevanceScore: 0.8,
  },
  {
    chunkType: "solution",
    content: "The flaky checkout test waited for a toast that is replaced; wait for the order number instead.",
    projectPath: "/home/ada/code/shop",
    sessionId: "0d3f6c1a-77aa-4b2e-9d55-1b1c6c0d0001",
    sourceExcerpt: "Found it: the toast is replaced within 200 ms, so the locator goes stale.",
    relevanceScore: 0.7,
  },
  {
    chunkType: "preference",
    content: "Write commit messages as one sentence in the imperative, without a prefix.",
    relevanceScore: 1,
  },
  {
    chunkType: "pattern",
    content: "Queries live in <domain>.queries.ts, and a service never builds SQL.",
    projectPath: "/home/ada/code/workspace",
    relevanceScore: 0.9,
  },
  {
    chunkType: "summary",
    content: "Moved the image pipeline to AVIF; hero images are done, thumbnails are left.",
    projectPath: "/home/ada/code/website",
    relevanceScore: 0.45,
  },
  {
    chunkType: "fact",
    content: "The staging database is reset each night at 3:00 from an anonymised production dump.",
    projectPath: "/home/ada/code/shop",
    relevanceScore: 0.6,
  },
];

/** The memories of a few assistant sessions; the last one may duplicate an earlier one. */
export async function createSomeMemories(api: ApiClient): Promise<void> {
  for (const memory of MEMORIES) await api.mutateAll("memory.store", [memory]);
}

/** Records that a session was given all memories with a prompt, an hour ago. */
export async function giveMemories(api: ApiClient): Promise<void> {
  const memories = await api.query<{ id: string }[]>("memory.list", { limit: 20 });
  const injection = {
    sessionId: SESSION_ID,
    memoryIds: memories.map(({ id }) => id),
    reason: "prompt",
    subject: "How do webhooks retry?",
    tokens: 120,
    givenAt: new Date(Date.now() - HOUR_MS).toISOString(),
  };
  await api.mutateAll("memory.recordInjections", [{ injections: [injection] }]);
}

const TYPES = ["decision", "fact", "solution", "pattern", "preference", "summary"];
const SUBJECTS = [
  "the build",
  "the parser",
  "invoice import",
  "the cache",
  "deployment",
  "the login",
  "search",
  "logging",
];
const FINDINGS = [
  "is slow on cold starts because the pool is opened lazily",
  "must never be called from a transaction",
  "keeps its settings in config/local.json, which is not committed",
  "was moved to its own worker after the outage in March",
  "is tested against a real server, not against mocks",
];

/** Creates `count` more memories of all types. */
export async function createManyMemories(api: ApiClient, count: number): Promise<void> {
  const inputs = Array.from({ length: count }, (_, index): Input => ({
    chunkType: TYPES[index % TYPES.length],
    content: `${SUBJECTS[(index * 7) % SUBJECTS.length]} number ${index + 1} ${FINDINGS[(index * 3) % FINDINGS.length]}.`,
    projectPath: index % 4 === 0 ? null : `/home/ada/code/project-${index % 23}`,
    relevanceScore: ((index * 13) % 100) / 100,
  }));
  await api.mutateAll("memory.store", inputs);
}

export const SESSION_ID = "0d3f6c1a-77aa-4b2e-9d55-1b1c6c0d0001";
const CALLS: readonly (readonly [tool: string, input: Input])[] = [
  ["Read", { file_path: "/home/ada/code/shop/src/webhooks/retry.ts" }],
  ["Bash", { command: "pnpm vitest run src/webhooks" }],
  ["Edit", { file_path: "/home/ada/code/shop/src/webhooks/retry.ts" }],
  ["Grep", { pattern: "backoff\\(" }],
  ["WebFetch", { url: "https://example.com/docs/jitter" }],
  ["mcp__workspace__create_task", { title: "Watch the dead letter queue" }],
];

/** Creates one assistant session that has just ended, with blocked calls. */
const CHANGED_IN_FIRST_TURN = {
  turn: 1,
  root: "/home/ada/code/shop",
  total: 3,
  files: [
    { path: "src/webhooks/back-off.ts", change: "added" },
    { path: "src/webhooks/retry.ts", change: "changed" },
    { path: "src/webhooks/old.ts", change: "deleted" },
  ],
};

export async function createHookSession(api: ApiClient, sessionId = SESSION_ID, endedAgoMs = HOUR_MS): Promise<void> {
  const start = Date.now() - endedAgoMs - 40 * 60_000;
  const at = (minute: number) => new Date(start + minute * 60_000).toISOString();
  const common = { sessionId, projectDir: "/home/ada/code/shop", hookScript: "workspace-hooks hook", exitCode: 0 };
  const events: Input[] = [
    {
      ...common,
      eventType: "SessionStart",
      eventData: { source: "startup", harness: "claude-code" },
      occurredAt: at(0),
    },
    {
      ...common,
      eventType: "UserPromptSubmit",
      eventData: { prompt: "The webhook retries hammer the partner. Make them back off.", turn: { number: 1 } },
      durationMs: 2.1,
      occurredAt: at(1),
    },
  ];
  CALLS.forEach(([toolName, toolInput], index) => {
    const call = { ...common, toolName, toolMatcher: "*", eventData: { toolInput, harness: "claude-code" } };
    events.push({ ...call, eventType: "PreToolUse", durationMs: 3 + index, occurredAt: at(2 + index * 3) });
    events.push({ ...call, eventType: "PostToolUse", durationMs: 1.5, occurredAt: at(3 + index * 3) });
  });
  events.push(
    {
      ...common,
      eventType: "PreToolUse",
      toolName: "Bash",
      blocked: true,
      exitCode: 2,
      blockReason: "Force pushes to main are not allowed.",
      eventData: {
        toolInput: { command: "git push --force origin main" },
        policy: {
          decision: "block",
          rules: [{ id: "no-force-push", decision: "block", subject: "git push --force origin main" }],
        },
      },
      durationMs: 4.2,
      occurredAt: at(30),
    },
    {
      ...common,
      eventType: "PostToolUseFailure",
      toolName: "Bash",
      eventData: { toolInput: { command: "pnpm lint" } },
      durationMs: 2,
      occurredAt: at(34),
    },
    {
      ...common,
      eventType: "SessionEnd",
      eventData: { source: "exit", turn: { number: 2, changed: CHANGED_IN_FIRST_TURN } },
      occurredAt: at(40),
    },
  );
  await recordEvents(api, events);
}

const TOOLS = [
  "Bash",
  "Read",
  "Edit",
  "Grep",
  "Glob",
  "Write",
  "WebFetch",
  "WebSearch",
  "TodoWrite",
  "Task",
  "NotebookEdit",
];
const BATCH_SIZE = 500;

/** Creates `count` events over the last 30 days, in sessions of 400. */
export async function createManyHookEvents(api: ApiClient, count: number): Promise<void> {
  const stepMs = (30 * 24 * HOUR_MS) / count;
  const events = Array.from({ length: count }, (_, index): Input => {
    const isBlocked = index % 61 === 0;
    return {
      eventType: index % 2 === 0 ? "PreToolUse" : "PostToolUse",
      sessionId: `session-${String(Math.floor(index / 400) + 1).padStart(4, "0")}-of-the-long-run`,
      projectDir: `/home/ada/code/project-${index % 7}`,
      toolName: index % 37 === 0 ? `mcp__server__tool_${index % 20}` : TOOLS[(index * 5) % TOOLS.length],
      blocked: isBlocked,
      blockReason: isBlocked ? "Writing outside of the project’s folder is not allowed." : null,
      durationMs: 1 + ((index * 17) % 90) / 3,
      eventData: { toolInput: { command: `make step-${index}` } },
      occurredAt: new Date(Date.now() - (count - index) * stepMs - (index % 9) * HOUR_MS).toISOString(),
    };
  });
  for (let start = 0; start < events.length; start += BATCH_SIZE) {
    await recordEvents(api, events.slice(start, start + BATCH_SIZE));
  }
}

async function recordEvents(api: ApiClient, events: readonly Input[]): Promise<void> {
  await api.mutateAll("hooks.recordEvents", [{ events }]);
}

const SECRETS: readonly Input[] = [
  {
    key: "GITHUB_TOKEN",
    value: "ghp_sampleSampleSampleSample0001",
    description: "For the release agent; may push tags.",
  },
  { key: "SMTP_PASSWORD", value: "correct horse battery staple" },
  {
    key: "DEPLOY_KEY",
    value: "-----BEGIN KEY-----\nc2FtcGxl\nc2FtcGxl\n-----END KEY-----",
    description: "The rack’s deploy user.",
  },
  { key: "WEATHER_API_KEY", value: "w-1234567890", description: "Free tier, 1,000 calls a day." },
];

export async function createSomeSecrets(api: ApiClient): Promise<void> {
  await api.mutateAll("secrets.create", SECRETS);
}

export async function createManySecrets(api: ApiClient, count: number): Promise<void> {
  const inputs = Array.from({ length: count }, (_, index): Input => ({
    key: `SERVICE_${String(index + 1).padStart(3, "0")}_TOKEN`,
    value: `value-${index}`,
    description: index % 3 === 0 ? null : `Used by service number ${index + 1}.`,
  }));
  await api.mutateAll("secrets.create", inputs);
}
