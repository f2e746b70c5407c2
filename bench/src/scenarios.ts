/**
 * One row of the speed goals: a request to the service, its counterpart for the floor, and the share of the floor to reach.
 */
export interface Scenario {
  readonly name: string;
  /** Requests per second of the service, as a share of the floor's. */
  readonly goal: number;
  readonly method: "GET" | "POST";
  /** Path at the service. */
  readonly path: string;
  /** Path at the floor. */
  readonly floorPath: string;
  readonly body?: object;
  /** A bearer key instead of the cookie session. */
  readonly credentials?: "key";
}

/** The file to read; created with the other data. */
export const READ_FILE = "/read/note.md";
export const FILE_TEXT = "The quick brown fox jumps over the lazy dog, and writes it down. ".repeat(62);

const WRITE = {
  method: "POST",
  body: { path: "/written/file-{{slot}}.md", content: `# Note {{n}}\n\n${FILE_TEXT}` },
} as const;

/** The seeded data that scenarios refer to. */
export interface Seeded {
  readonly taskId: string;
}

export function createScenarios({ taskId }: Seeded): Scenario[] {
  return [
    { name: "task by id", goal: 0.7, method: "GET", path: `/api/tasks/${taskId}`, floorPath: `/task?${taskId}` },
    { name: "50 tasks", goal: 0.9, method: "GET", path: "/api/tasks?limit=50", floorPath: "/tasks" },
    {
      name: "50 tasks of /api/v1, by key",
      goal: 0.85,
      method: "GET",
      path: "/api/v1/tasks",
      floorPath: "/tasks",
      credentials: "key",
    },
    {
      name: "50 tasks, rare search term",
      goal: 0.9,
      method: "GET",
      path: "/api/tasks?limit=50&search=needle",
      floorPath: "/search?needle",
    },
    {
      name: "50 tasks, common search term",
      goal: 0.9,
      method: "GET",
      path: "/api/tasks?limit=50&search=report",
      floorPath: "/search?report",
    },
    {
      name: "new task",
      goal: 0.7,
      method: "POST",
      path: "/api/tasks",
      floorPath: "/insert",
      body: { title: "Write the report", description: "With the figures of the week", priority: 2, tags: ["work"] },
    },
    {
      name: "read a file of 4 KB",
      goal: 0.6,
      method: "POST",
      path: "/api/fs/read",
      floorPath: "/read",
      body: { path: READ_FILE },
    },
    // The floor does the same work: the bytes on disk, and the row that mirrors them.
    { name: "write a file of 4 KB", goal: 0.8, path: "/api/fs/write", floorPath: "/write?record", ...WRITE },
    // Against a floor without a database.
    { name: "write a file of 4 KB, no row", goal: 0.8, path: "/api/fs/write", floorPath: "/write", ...WRITE },
    {
      name: "new hook event",
      goal: 0.7,
      method: "POST",
      path: "/api/hooks/events",
      floorPath: "/event",
      body: {
        eventType: "PreToolUse",
        sessionId: "0d3c1f0e-8f4a-4c43-9d1b-2f6b1c5f7a11",
        projectDir: "/home/ada/project",
        toolName: "Bash",
        eventData: { tool_input: { command: "pnpm test", description: "Run the tests" } },
        durationMs: 12.5,
      },
    },
  ];
}
