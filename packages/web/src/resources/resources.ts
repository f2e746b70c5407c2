import {
  Bot,
  Brain,
  Cable,
  CircleCheckBig,
  Filter,
  Folders,
  Gauge,
  KeyRound,
  MessageCircle,
  NotebookText,
  ShieldQuestion,
  SquareTerminal,
  type LucideIcon,
} from "lucide-react";
import type { ComponentType } from "react";
import type { Outputs } from "../api/api.ts";
import type { Resource, ResourceChange } from "./resource-change.ts";

type ServerScope = Outputs["apiKeys"]["list"]["data"][number]["scopes"][number];

/** A page in the navigation. */
export interface Page<Path extends string = string> {
  readonly path: Path;
  readonly title: string;
  /** `g` followed by this letter opens the page. */
  readonly goKey: string;
  /** Loads the module whose default export is the page, when it is opened or about to be. */
  readonly load: () => Promise<{ default: ComponentType }>;
}

/** What the dashboard knows about one kind of resource. */
interface ResourceKind {
  /** The label of one resource: "Task". */
  readonly label: string;
  readonly icon: LucideIcon;
  /** The page that lists them. */
  readonly page: Page;
  /** The URL that shows the changed resource. */
  readonly urlOf: (change: Pick<ResourceChange, "resourceId" | "resourceName">) => string;
  /** The query keys of queries about them start with one of these. */
  readonly queryRoots: readonly string[];
  /** The scopes that an API key can have for them, with their labels. */
  readonly scopes: readonly (readonly [ServerScope, string])[];
}

/**
 * All kinds of resources, in the order of the navigation. The sidebar, the phone's bottom bar, the palette, the `g`
 * shortcuts, the routes, the activity feed, the query refreshing and the scopes of API keys are all derived from here. To
 * add a kind, add an entry.
 */
export const RESOURCES = {
  task: {
    label: "Task",
    icon: CircleCheckBig,
    page: page("/tasks", "Tasks", "t", () => import("../features/tasks/tasks-page.tsx")),
    urlOf: ({ resourceId }) => buildUrl("/tasks", { task: resourceId }),
    queryRoots: ["tasks"],
    scopes: [
      ["tasks:read", "Read tasks and projects"],
      ["tasks:write", "Change tasks and projects"],
    ],
  },
  conversation: {
    label: "Chat",
    icon: MessageCircle,
    page: page("/chat", "Chat", "c", () => import("../features/chat/chat-page.tsx")),
    urlOf: ({ resourceId }) => buildUrl("/chat", { conversation: resourceId }),
    queryRoots: ["conversations"],
    scopes: [],
  },
  document: {
    label: "Document",
    icon: NotebookText,
    page: page("/documents", "Documents", "d", () => import("../features/documents/documents-page.tsx")),
    urlOf: ({ resourceId }) => buildUrl("/documents", { doc: resourceId }),
    queryRoots: ["documents", "fs"],
    scopes: [
      ["knowledge:read", "Read documents and files"],
      ["knowledge:write", "Create and change notes"],
    ],
  },
  project: {
    label: "Project",
    icon: Folders,
    page: page("/projects", "Projects", "p", () => import("../features/projects/projects-page.tsx")),
    urlOf: ({ resourceId }) => `/projects/${encodeURIComponent(resourceId)}`,
    // Tasks show the name and the colour of their project.
    queryRoots: ["projects", "tasks"],
    scopes: [],
  },
  view: {
    label: "View",
    icon: Filter,
    page: page("/views", "Views", "v", () => import("../features/views/views-page.tsx")),
    urlOf: ({ resourceId }) => `/views/${encodeURIComponent(resourceId)}`,
    queryRoots: ["views"],
    scopes: [],
  },
  memory: {
    label: "Memory",
    icon: Brain,
    page: page("/memory", "Memory", "m", () => import("../features/memory/memory-page.tsx")),
    urlOf: ({ resourceId }) => buildUrl("/memory", { memory: resourceId }),
    queryRoots: ["memory"],
    scopes: [
      ["memory:read", "Search memories"],
      ["memory:write", "Store memories"],
    ],
  },
  agent: {
    label: "Agent",
    icon: Bot,
    page: page("/agents", "Agents", "a", () => import("../features/agents/agents-page.tsx")),
    urlOf: ({ resourceId }) => `/agents/${encodeURIComponent(resourceId)}`,
    queryRoots: ["agents"],
    scopes: [
      ["agents:read", "See agents"],
      ["agents:ask", "Ask agents, which spends credits"],
    ],
  },
  hook: {
    label: "Assistant",
    icon: SquareTerminal,
    page: page("/hooks", "Hooks", "k", () => import("../features/hooks/hooks-page.tsx")),
    urlOf: ({ resourceId }) =>
      resourceId === "policy" || resourceId === "memory" ? buildUrl("/hooks", { view: resourceId }) : "/hooks",
    queryRoots: ["hooks"],
    scopes: [["hooks", "Hooks: record events, use memory"]],
  },
  approval: {
    label: "Approval",
    icon: ShieldQuestion,
    page: page("/approvals", "Approvals", "o", () => import("../features/approvals/approvals-page.tsx")),
    urlOf: ({ resourceId }) =>
      resourceId === "settings" ? buildUrl("/approvals", { view: resourceId }) : "/approvals",
    queryRoots: ["approvals"],
    scopes: [],
  },
  usage: {
    label: "Usage",
    icon: Gauge,
    page: page("/usage", "Usage", "u", () => import("../features/usage/usage-page.tsx")),
    urlOf: ({ resourceId }) => (resourceId === "models" ? "/settings" : "/usage"),
    queryRoots: ["usage", "assistantUsage", "credits", "modelSettings"],
    scopes: [],
  },
  secret: {
    label: "Secret",
    icon: KeyRound,
    page: page("/secrets", "Secrets", "s", () => import("../features/secrets/secrets-page.tsx")),
    urlOf: ({ resourceName }) => (resourceName === null ? "/secrets" : buildUrl("/secrets", { secret: resourceName })),
    queryRoots: ["secrets"],
    scopes: [],
  },
  api_key: {
    label: "API key",
    icon: Cable,
    page: page("/connect", "Connect", "n", () => import("../features/connect/connect-page.tsx")),
    urlOf: () => buildUrl("/connect", { view: "keys" }),
    queryRoots: ["apiKeys", "credits"],
    scopes: [["webhooks", "Send changes that it may read to any URL"]],
  },
} as const satisfies Record<Resource, ResourceKind>;

/** The kinds, in the order of the navigation. */
export const RESOURCE_KINDS = Object.values(RESOURCES);

/** The scopes that an API key can have. A server scope that no kind lists fails the type check where keys are shown. */
export type Scope = (typeof RESOURCE_KINDS)[number]["scopes"][number][0];

export function page<Path extends string>(path: Path, title: string, goKey: string, load: Page["load"]): Page<Path> {
  return { path, title, goKey, load };
}

function buildUrl(path: string, search: Record<string, string>): string {
  return `${path}?${new URLSearchParams(search).toString()}`;
}
