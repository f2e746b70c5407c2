import * as z from "zod";
import { searchDocumentsInput } from "../documents/document.schema.ts";
import { searchMemoryInput, storeMemoryInput } from "../memory/memory.schema.ts";
import type { UserPrincipal } from "../platform/principal.ts";
import { toPublicError } from "../platform/public-error.ts";
import { createProjectInput, updateProjectInput } from "../projects/project.schema.ts";
import type { AppRouter } from "../router.ts";
import { createTaskInput, listTasksInput, updateTaskInput } from "../tasks/task.schema.ts";
import { deleteInput, listInput, pathInput, renameInput, writeInput } from "../vault/vault.schema.ts";
import type { CallInspection, ToolEffect } from "./tool-effect.ts";
import { parseToolInput, toJsonSchema } from "./tool-input.ts";
import type { Tool } from "./toolbox.ts";

/** The workspace's procedures, called in somebody's name: what a tool may use, so that it can do no more than they can. */
export type WorkspaceApi = ReturnType<AppRouter["createCaller"]>;

interface ToolDeclaration<Input extends z.ZodObject> extends Pick<Tool, "name" | "description" | "allows" | "effect"> {
  /** Its results hold nothing but what the call itself has said, so they bring no text of others. */
  readonly echoes?: true;
  readonly input: Input;
  /** What a call would do and to what; without it `effect`, to nothing that has a name. */
  readonly inspect?: (api: WorkspaceApi, input: z.output<Input>) => Promise<CallInspection>;
  readonly call: (api: WorkspaceApi, input: z.output<Input>) => Promise<unknown>;
}

const byId = z.object({ id: z.string() });
const nothing = z.object({});
const limit = z.number().int().min(1).max(200).default(50);

/** Every tool of the workspace. What they delete can be restored. */
export function createWorkspaceTools(createApi: (principal: UserPrincipal) => WorkspaceApi): Tool[] {
  const tool: Declare = ({ input, inspect, call, echoes = false, ...declaration }) => ({
    ...declaration,
    bringsText: !echoes,
    parameters: toJsonSchema(input),
    ...(inspect !== undefined && {
      inspect: async (given, { principal }) => inspect(createApi(principal), parseToolInput(input, given)),
    }),
    run: async (given, { principal }) => call(createApi(principal), parseToolInput(input, given)),
  });

  return [...createTaskTools(tool), ...createProjectTools(tool), ...createVaultTools(tool), ...createMemoryTools(tool)];
}

type Declare = <Input extends z.ZodObject>(declaration: ToolDeclaration<Input>) => Tool;

/** Of texts in tasks and projects no earlier version is kept, so rewriting one destroys what was there. */
const replacesText = (...texts: readonly unknown[]): ToolEffect =>
  texts.some((text) => text !== undefined) ? "destroys" : "writes";

async function titleOfTask(api: WorkspaceApi, id: string): Promise<string> {
  return (await api.tasks.get({ id })).data.title;
}

function createTaskTools(tool: Declare): Tool[] {
  return [
    tool({
      name: "list_tasks",
      description: "List tasks, newest first, optionally by status, project or text.",
      allows: "See the list of tasks.",
      effect: "reads",
      input: listTasksInput.omit({ cursor: true }).extend({ limit }),
      call: (api, input) => api.tasks.list(input),
    }),
    tool({
      name: "get_task",
      description: "Get one task.",
      allows: "Read a task.",
      effect: "reads",
      input: byId,
      call: (api, input) => api.tasks.get(input),
    }),
    tool({
      name: "list_task_tags",
      description: "List the tags in use.",
      allows: "See which tags are in use.",
      effect: "reads",
      input: nothing,
      call: (api) => api.tasks.tags({}),
    }),
    tool({
      name: "create_task",
      description: "Create a task.",
      allows: "Add tasks.",
      effect: "writes",
      input: createTaskInput,
      call: (api, input) => api.tasks.create(input),
    }),
    tool({
      name: "restore_task",
      description: "Restore a deleted task.",
      allows: "Bring deleted tasks back.",
      effect: "writes",
      input: byId,
      call: (api, input) => api.tasks.restore(input),
    }),
    tool({
      name: "update_task",
      description: "Change the given fields of a task; null clears description, project or due date.",
      allows: "Change tasks: their status and dates, and their texts, of which no earlier version is kept.",
      effect: "destroys",
      inspect: async (api, { id, title, description }) => ({
        effect: replacesText(title, description),
        subject: await titleOfTask(api, id),
      }),
      input: updateTaskInput,
      call: (api, input) => api.tasks.update(input),
    }),
    tool({
      name: "delete_task",
      description: "Delete a task. It can be restored.",
      allows: "Delete tasks. They can be restored.",
      effect: "destroys",
      inspect: async (api, { id }) => ({ effect: "destroys", subject: await titleOfTask(api, id) }),
      input: byId,
      call: (api, input) => api.tasks.delete(input),
    }),
  ];
}

function createProjectTools(tool: Declare): Tool[] {
  return [
    tool({
      name: "list_projects",
      description: "List projects by name.",
      allows: "See the list of projects.",
      effect: "reads",
      input: nothing,
      call: (api) => api.projects.list({}),
    }),
    tool({
      name: "create_project",
      description: "Create a project.",
      allows: "Add projects.",
      effect: "writes",
      input: createProjectInput,
      call: (api, input) => api.projects.create(input),
    }),
    tool({
      name: "update_project",
      description: "Change the given fields of a project.",
      allows: "Change projects: their colour, and their texts, of which no earlier version is kept.",
      effect: "destroys",
      inspect: async (api, { id, name, description }) => ({
        effect: replacesText(name, description),
        subject: (await api.projects.get({ id })).data.name,
      }),
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
      allows: "Search the documents.",
      effect: "reads",
      input: searchDocumentsInput,
      call: (api, input) => api.documents.search(input),
    }),
    tool({
      name: "list_files",
      description: "List a directory of the vault; without a path its root.",
      allows: "See which files there are.",
      effect: "reads",
      input: listInput,
      call: (api, input) => api.fs.list(input),
    }),
    tool({
      name: "read_file",
      description: "Read a text file of the vault.",
      allows: "Read files.",
      effect: "reads",
      input: pathInput,
      call: (api, input) => api.fs.read(input),
    }),
    tool({
      name: "rename_file",
      description: "Rename or move a file or directory of the vault. It never takes the place of another one.",
      allows: "Rename and move files and folders. An existing file is never replaced.",
      effect: "writes",
      echoes: true,
      input: renameInput,
      call: (api, input) => api.fs.rename(input),
    }),
    tool({
      name: "restore_document",
      description: "Restore a deleted document by its id.",
      allows: "Bring deleted documents back.",
      effect: "writes",
      input: byId,
      call: (api, input) => api.documents.restore(input),
    }),
    tool({
      name: "write_file",
      description:
        "Write a text file of the vault. The version before it is kept. To change a file, send the contentHash that reading it gave as expectedHash.",
      allows: "Create files, and replace the content of existing ones. The version before is kept.",
      effect: "destroys",
      inspect: async (api, { path, createOnly }) => {
        const isHarmless = createOnly === true || (await isFree(api, path));
        return { effect: isHarmless ? "writes" : "destroys", subject: path };
      },
      echoes: true,
      input: writeInput,
      call: (api, input) => api.fs.write(input),
    }),
    tool({
      name: "delete_file",
      description: "Delete a file or directory of the vault. It is kept in the trash for a while.",
      allows: "Delete files and folders. They are kept in the trash for a while.",
      effect: "destroys",
      inspect: (_api, { path }) => Promise.resolve({ effect: "destroys", subject: path }),
      echoes: true,
      input: deleteInput,
      call: (api, input) => api.fs.delete(input),
    }),
  ];
}

/** Whether there is nothing at a path that writing could replace. What cannot be told counts as something. */
async function isFree(api: WorkspaceApi, path: string): Promise<boolean> {
  try {
    await api.fs.read({ path });
    return false;
  } catch (error) {
    return toPublicError(error).status === NOT_FOUND;
  }
}

const NOT_FOUND = 404;

function createMemoryTools(tool: Declare): Tool[] {
  return [
    tool({
      name: "search_memories",
      description: "Find memories: decisions, facts, solutions, patterns and preferences from earlier sessions.",
      allows: "Search the memories of earlier sessions.",
      effect: "reads",
      input: searchMemoryInput,
      call: (api, input) => api.memory.search(input),
    }),
    tool({
      name: "store_memory",
      description: "Store something worth remembering in later sessions.",
      allows: "Add memories, which later sessions are told.",
      effect: "writes",
      echoes: true,
      input: storeMemoryInput.pick({ content: true, chunkType: true, projectPath: true }),
      call: (api, input) => api.memory.store(input),
    }),
    tool({
      name: "delete_memory",
      description: "Delete a memory. It can be brought back for a while.",
      allows: "Delete memories. They can be brought back for a while.",
      effect: "destroys",
      echoes: true,
      input: byId,
      call: (api, input) => api.memory.delete(input),
    }),
  ];
}
