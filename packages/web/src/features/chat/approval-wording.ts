import type { PendingApproval } from "./conversation-log.ts";

/** What a call would do, as a question to the person who decides. */
export function sayApproval({ toolName, subject }: Pick<PendingApproval, "toolName" | "subject">): string {
  const named = subject === null ? "" : ` “${subject}”`;
  switch (toolName) {
    case "delete_file":
      return `Delete${named}? It is kept in the trash for a while.`;
    case "write_file":
      return `Replace what is in${named}? The version before is kept.`;
    case "delete_task":
      return `Delete the task${named}? It can be restored.`;
    case "update_task":
      return `Rewrite the text of the task${named}? No earlier version is kept.`;
    case "update_project":
      return `Rewrite the text of the project${named}? No earlier version is kept.`;
    case "delete_memory":
      return "Delete a memory? It can be brought back for a while.";
    case "http_request":
      return `Send a request to another service: ${subject ?? "an unknown one"}?`;
    default:
      return `Use ${toolName}${subject === null ? "" : ` on “${subject}”`}?`;
  }
}
