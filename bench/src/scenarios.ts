/** One row of the speed goals: a request to the service, the same to the floor, and the share of the floor to reach. */
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
}

/** What the scenarios point at in the seeded data. */
export interface Seeded {
  readonly taskId: string;
}

export function createScenarios({ taskId }: Seeded): Scenario[] {
  return [
    { name: "task by id", goal: 0.7, method: "GET", path: `/api/tasks/${taskId}`, floorPath: `/task?${taskId}` },
    { name: "50 tasks", goal: 0.9, method: "GET", path: "/api/tasks?limit=50", floorPath: "/tasks" },
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
  ];
}
