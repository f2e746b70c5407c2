import * as z from "zod";
import { searchDocumentsInput } from "../documents/document.schema.ts";
import { searchMemoryInput, storeMemoryInput } from "../memory/memory.schema.ts";
import type { UserPrincipal } from "../platform/principal.ts";
import { createProjectInput, updateProjectInput } from "../projects/project.schema.ts";
import type { AppRouter } from "../router.ts";
import { createTaskInput, listTasksInput, updateTaskInput } from "../tasks/task.schema.ts";
import { deleteInput, listInput, pathInput, renameInput, writeInput } from "../vault/vault.schema.ts";
import { parseToolInput, toJsonSchema } from "./tool-input.ts";
import type { Tool } from "./toolbox.ts";

/** The workspace's procedures, called in somebody's name: what a tool may use, so that it can do no more than they can. */
export type WorkspaceApi = ReturnType<AppRouter["createCaller"]>;

interface ToolDeclaration<Input extends z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  readonly call: (api: WorkspaceApi, input: z.output<Input>) => Promise<unknown>;
}

const byId = z.object({ id: z.string() });
const nothing = z.object({});
const limit = z.number().int().min(1).max(200).default(50);

/** Every tool of the workspace. What they delete can be restored. */
export function createWorkspaceTools(createApi: (principal: UserPrincipal) => WorkspaceApi): Tool[] {
  const tool: Declare = ({ name, description, input, call }) => ({
    name,
    description,
    parameters: toJsonSchema(input),
    run: async (given, { principal }) => call(createApi(principal), parseToolInput(input, given)),
  });

  return [...createTaskTools(tool), ...createVaultTools(tool), ...createMemoryTools(tool)];
}

type Declare = <Input extends z.ZodObject>(declaration: ToolDeclaration<Input>) => Tool;

function createTaskTools(tool: Declare): Tool[] {
  return [
    tool({
      name: "list_tasks",
      description: "List tasks, newest first, optionally by status, project or text.",
      input: listTasksInput.omit({ cursor: true }).extend({ limit }),
      call: (api, input) => api.tasks.list(input),
    }),
    tool({ name: "get_task", description: "Get one task.", input: byId, call: (api, input) => api.tasks.get(input) }),
    tool({
      name: "create_task",
      description: "Create a task.",
      input: createTaskInput,
      call: (api, input) => api.tasks.create(input),
    }),
    tool({
      name: "update_task",
      description: "Change the given fields of a task; null clears description, project or due date.",
      input: updateTaskInput,
      call: (api, input) => api.tasks.update(input),
    }),
    tool({
      name: "delete_task",
      description: "Delete a task. It can be restored.",
      input: byId,
      call: (api, input) => api.tasks.delete(input),
    }),
    tool({
      name: "restore_task",
      description: "Restore a deleted task.",
      input: byId,
      call: (api, input) => api.tasks.restore(input),
    }),
    tool({
      name: "list_task_tags",
      description: "List the tags in use.",
      input: nothing,
      call: (api) => api.tasks.tags({}),
    }),
    tool({
      name: "list_projects",
      description: "List projects by name.",
      input: nothing,
      call: (api) => api.projects.list({}),
    }),
    tool({
      name: "create_project",
      description: "Create a project.",
      input: createProjectInput,
      call: (api, input) => api.projects.create(input),
    }),
    tool({
      name: "update_project",
      description: "Change the given fields of a project.",
      input: updateProjectInput,
      call: (api, input) => api.projects.update(input),
    }),
  ];
}

function createVaultTools(tool: Declare): Tool[] {
  return [
    tool({
      name: "search_documents",
      description: "Find documents by their text, title or path, the best matches first.",
      input: searchDocumentsInput,
      call: (api, input) => api.documents.search(input),
    }),
    tool({
      name: "list_files",
      description: "List a directory of the vault; without a path its root.",
      input: listInput,
      call: (api, input) => api.fs.list(input),
    }),
    tool({
      name: "read_file",
      description: "Read a text file of the vault.",
      input: pathInput,
      call: (api, input) => api.fs.read(input),
    }),
    tool({
      name: "write_file",
      description:
        "Write a text file of the vault. The version before it is kept. To change a file, send the contentHash that reading it gave as expectedHash.",
      input: writeInput,
      call: (api, input) => api.fs.write(input),
    }),
    tool({
      name: "rename_file",
      description: "Rename or move a file or directory of the vault.",
      input: renameInput,
      call: (api, input) => api.fs.rename(input),
    }),
    tool({
      name: "delete_file",
      description: "Delete a file or directory of the vault. It is kept in the trash for a while.",
      input: deleteInput,
      call: (api, input) => api.fs.delete(input),
    }),
    tool({
      name: "restore_document",
      description: "Restore a deleted document by its id.",
      input: byId,
      call: (api, input) => api.documents.restore(input),
    }),
  ];
}

function createMemoryTools(tool: Declare): Tool[] {
  return [
    tool({
      name: "search_memories",
      description: "Find memories: decisions, facts, solutions, patterns and preferences from earlier sessions.",
      input: searchMemoryInput,
      call: (api, input) => api.memory.search(input),
    }),
    tool({
      name: "store_memory",
      description: "Store something worth remembering in later sessions.",
      input: storeMemoryInput.pick({ content: true, chunkType: true, projectPath: true }),
      call: (api, input) => api.memory.store(input),
    }),
    tool({
      name: "delete_memory",
      description: "Delete a memory. It can be brought back for a while.",
      input: byId,
      call: (api, input) => api.memory.delete(input),
    }),
  ];
}
