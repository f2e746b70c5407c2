import {
  Bot,
  Brain,
  Cable,
  CircleCheckBig,
  Folders,
  Gauge,
  House,
  KeyRound,
  MessageCircle,
  NotebookText,
  SquareTerminal,
  type LucideIcon,
} from "lucide-react";
import type { ComponentType } from "react";

/** A place that the navigation leads to. */
export interface Page<Path extends string = string> {
  readonly path: Path;
  readonly label: string;
  readonly icon: LucideIcon;
  /** `g` and this letter go there. */
  readonly goKey: string;
  /** The module whose default export is the page; loaded when somebody goes there, or is about to. */
  readonly load: () => Promise<{ default: ComponentType }>;
}

/**
 * The navigation, in its order: the sidebar, the phone's bottom bar (the first four), the palette, the `g` shortcuts and
 * the routes all come from here. To add a page, add its line.
 */
export const PAGES = [
  page("/", "Home", House, "h", () => import("../features/home/home-page.tsx")),
  page("/tasks", "Tasks", CircleCheckBig, "t", () => import("../features/tasks/tasks-page.tsx")),
  page("/chat", "Chat", MessageCircle, "c", () => import("../features/chat/chat-page.tsx")),
  page("/documents", "Documents", NotebookText, "d", () => import("../features/documents/documents-page.tsx")),
  page("/projects", "Projects", Folders, "p", () => import("../features/projects/projects-page.tsx")),
  page("/memory", "Memory", Brain, "m", () => import("../features/memory/memory-page.tsx")),
  page("/agents", "Agents", Bot, "a", () => import("../features/agents/agents-page.tsx")),
  page("/hooks", "Hooks", SquareTerminal, "k", () => import("../features/hooks/hooks-page.tsx")),
  page("/usage", "Usage", Gauge, "u", () => import("../features/usage/usage-page.tsx")),
  page("/secrets", "Secrets", KeyRound, "s", () => import("../features/secrets/secrets-page.tsx")),
  page("/connect", "Connect", Cable, "n", () => import("../features/connect/connect-page.tsx")),
];

function page<Path extends string>(
  path: Path,
  label: string,
  icon: LucideIcon,
  goKey: string,
  load: () => Promise<{ default: ComponentType }>,
): Page<Path> {
  return { path, label, icon, goKey, load };
}
