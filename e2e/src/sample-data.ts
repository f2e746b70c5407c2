import type { ApiClient, Input } from "./api-client.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** The plain date `days` days from today. */
export function dateIn(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
}

const PROJECTS = [
  {
    name: "Website relaunch",
    color: "#2563c9",
    description: "New information architecture, faster pages, one design system.",
  },
  { name: "Garden", color: "#36a869", description: null },
  { name: "Tax 2026", color: "#d43d6b", description: "Everything the accountant needs by the end of January." },
  { name: "Home lab", color: "#5b2a9d", description: "Backups, monitoring, and the move to the new rack." },
  { name: "Reading", color: "#f08c2e", description: null },
] as const;

type ProjectName = (typeof PROJECTS)[number]["name"];

interface Sample {
  readonly title: string;
  readonly project?: ProjectName;
  readonly status?: "todo" | "in_progress" | "blocked" | "done";
  readonly priority?: 1 | 2 | 3;
  readonly due?: number;
  readonly tags?: readonly string[];
  readonly description?: string;
}

/** Oldest first, since the newest task is at the top of the list. */
const SAMPLES: readonly Sample[] = [
  { title: "Order seed potatoes", project: "Garden", status: "done", priority: 1 },
  { title: "Collect invoices from the bank portal", project: "Tax 2026", status: "done", tags: ["paper"] },
  { title: "Choose a certificate authority for the internal services", project: "Home lab", status: "done" },
  { title: "Sketch the new navigation", project: "Website relaunch", status: "done", priority: 3, tags: ["design"] },
  { title: "Cancel the old phone contract", status: "done", priority: 1 },
  {
    title: "Read “A Philosophy of Software Design”, chapters 4 to 7",
    project: "Reading",
    priority: 1,
    tags: ["books"],
  },
  { title: "Prune the apple trees before the frost", project: "Garden", due: 5, tags: ["outdoors"] },
  { title: "Ask Jonas for the drill", priority: 1 },
  {
    title: "Replace the failing disk in the second pool",
    project: "Home lab",
    status: "blocked",
    priority: 3,
    due: 2,
    tags: ["hardware"],
  },
  { title: "Receipts for the home office", project: "Tax 2026", due: 19, tags: ["paper"] },
  { title: "Measure the start page on a slow phone", project: "Website relaunch", tags: ["performance"] },
  { title: "Write to the building management about the heating", due: -2, priority: 3 },
  {
    title: "Copy for the pricing page",
    project: "Website relaunch",
    status: "blocked",
    due: 4,
    tags: ["writing", "launch"],
  },
  { title: "Renew the passport", due: 0, priority: 3, tags: ["paper"] },
  { title: "Restore test of last night’s backup", project: "Home lab", due: -1, tags: ["backups"] },
  { title: "Birthday present for Mia", due: 1 },
  {
    title: "Move the image pipeline to AVIF",
    project: "Website relaunch",
    status: "in_progress",
    priority: 2,
    due: 3,
    tags: ["performance", "launch"],
    description:
      "Start with the hero images, they are two thirds of the weight.\n\n- keep WebP as the fallback for one more release\n- compare at quality 55 and 62 on the slow phone\n- measure before and after, and write the numbers into the release notes",
  },
  {
    title: "Set up alerts for the temperature in the rack",
    project: "Home lab",
    status: "in_progress",
    tags: ["monitoring"],
  },
  {
    title: "Reply to the accountant about the depreciation of the laptop",
    project: "Tax 2026",
    status: "in_progress",
    due: 0,
    priority: 3,
  },
  { title: "Check the redirects of the old blog", project: "Website relaunch", priority: 3, due: 6, tags: ["launch"] },
  { title: "Book the train to Hamburg", due: 8 },
];

/** A typical workspace after a few weeks of use. */
export async function createSomeData(api: ApiClient): Promise<{ projectIds: ReadonlyMap<string, string> }> {
  const projects = await api.mutateAll<{ id: string; name: string }>("projects.create", PROJECTS);
  const projectIds = new Map(projects.map(({ id, name }) => [name, id]));
  const inputs = SAMPLES.map((sample) => toInput(sample, projectIds));
  // Sequentially: the order of creation is the order of the list.
  for (const input of inputs) await api.mutateAll("tasks.create", [input]);
  return { projectIds };
}

const VERBS = ["Review", "Write", "Fix", "Plan", "Measure", "Call", "Order", "Update", "Archive", "Compare"];
const OBJECTS = [
  "the report",
  "the backup job",
  "invoice",
  "the garden beds",
  "login page",
  "the budget",
  "slides",
  "the contract",
  "notes",
];
const STATUSES = ["todo", "todo", "todo", "in_progress", "blocked", "done", "done", "done"] as const;
const TAGS = ["launch", "paper", "performance", "writing", "backups", "design", "outdoors"];

/** Creates `count` more tasks of all kinds. */
export async function createManyTasks(api: ApiClient, count: number, projectIds: readonly string[]): Promise<void> {
  const inputs = Array.from({ length: count }, (_, index): Input => ({
    title: `${pick(VERBS, index)} ${pick(OBJECTS, index * 7)} ${index + 1}`,
    status: pick(STATUSES, index * 3),
    priority: 1 + (index % 3),
    projectId: index % 4 === 0 ? null : pick(projectIds, index),
    dueDate: index % 3 === 0 ? dateIn((index % 60) - 12) : null,
    tags: index % 5 === 0 ? [pick(TAGS, index), pick(TAGS, index + 3)] : [],
  }));
  await api.mutateAll("tasks.create", inputs);
}

const LONG_WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";

/** Extreme data: endless names, unbreakable words, masses of tags. */
export async function createExtremeData(api: ApiClient): Promise<{ projectId: string; taskId: string }> {
  const [project] = await api.mutateAll<{ id: string }>("projects.create", [
    {
      name: `A project whose name goes on and on until nobody knows any more where it began, ${LONG_WORD}`,
      color: "#0a0a0a",
      description: `${LONG_WORD} `.repeat(8),
    },
  ]);
  const projectId = project?.id ?? "";
  const [task] = await api.mutateAll<{ id: string }>("tasks.create", [
    {
      title: `${LONG_WORD} ${"and more of it ".repeat(12)}`,
      description: `${LONG_WORD}\n\n`.repeat(20),
      projectId,
      dueDate: "2031-12-31",
      priority: 3,
      tags: Array.from({ length: 14 }, (_, index) => `a rather long tag, number ${index + 1}`),
    },
    { title: LONG_WORD.repeat(4), projectId, status: "in_progress", dueDate: dateIn(-400) },
    { title: "x", projectId, status: "blocked" },
  ]);
  const names = Array.from({ length: 24 }, (_, index) => ({ name: `Side project ${index + 1}`, color: "#ffffff" }));
  await api.mutateAll("projects.create", names);
  return { projectId, taskId: task?.id ?? "" };
}

function toInput(
  { title, project, status = "todo", priority = 2, due, tags = [], description }: Sample,
  projectIds: ReadonlyMap<string, string>,
): Input {
  return {
    title,
    status,
    priority,
    tags,
    description: description ?? null,
    projectId: project === undefined ? null : projectIds.get(project),
    dueDate: due === undefined ? null : dateIn(due),
  };
}

function pick<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new Error("The list is empty.");
  return item;
}
