import type { PendingApproval } from "./conversation-log.ts";

/** What a call would do, as a question to the user. */
export function describeApproval({ toolName, subject }: Pick<PendingApproval, "toolName" | "subject">): string {
  const named = subject === null ? "" : ` “${subject}”`;
  switch (toolName) {
    case "fs_delete":
      return `Delete${named}? It stays in the trash for a while.`;
    case "fs_write":
      return `Overwrite${named}? The previous version is kept.`;
    case "tasks_delete":
      return `Delete the task${named}? It can be restored.`;
    case "tasks_update":
      return `Rewrite the text of the task${named}? No earlier version is kept.`;
    case "projects_update":
      return `Rewrite the text of the project${named}? No earlier version is kept.`;
    case "memory_delete":
      return "Delete a memory? It can be restored for a while.";
    case "http_request":
      return `Send a request to another service: ${subject ?? "an unknown one"}?`;
    default:
      return `Use ${toolName}${subject === null ? "" : ` on “${subject}”`}?`;
  }
}
