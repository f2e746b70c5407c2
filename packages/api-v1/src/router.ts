import { router } from "@workspace/core";
import { agentRouter } from "./agent.router.ts";
import { knowledgeRouter } from "./knowledge.router.ts";
import { memoryRouter } from "./memory.router.ts";
import { projectRouter } from "./project.router.ts";
import { taskRouter } from "./task.router.ts";

/** Every procedure that a bearer key may open: what `/api/v1` serves, and what the MCP server makes its tools from. */
export const v1Router = router({
  tasks: taskRouter,
  projects: projectRouter,
  memory: memoryRouter,
  knowledge: knowledgeRouter,
  agents: agentRouter,
});
