/** The names of tools from before they were named after their procedures. */
const FORMER_NAMES: ReadonlyMap<string, string> = new Map([
  ["list_tasks", "tasks_list"],
  ["get_task", "tasks_get"],
  ["list_task_tags", "tasks_tags"],
  ["create_task", "tasks_create"],
  ["restore_task", "tasks_restore"],
  ["update_task", "tasks_update"],
  ["delete_task", "tasks_delete"],
  ["list_projects", "projects_list"],
  ["create_project", "projects_create"],
  ["update_project", "projects_update"],
  ["search_documents", "notes_search"],
  ["documents_search", "notes_search"],
  ["restore_document", "documents_restore"],
  ["list_files", "fs_list"],
  ["read_file", "fs_read"],
  ["rename_file", "fs_rename"],
  ["write_file", "fs_write"],
  ["delete_file", "fs_delete"],
  ["search_memories", "memory_search"],
  ["store_memory", "memory_store"],
  ["delete_memory", "memory_delete"],
]);

/** Returns the current name of a tool. Clients and earlier messages of a chat may still use the former one. */
export function toCurrentToolName(name: string): string {
  return FORMER_NAMES.get(name) ?? name;
}
