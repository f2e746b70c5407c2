import { createWorkspaceTools } from "./models/tools/workspace-tools.ts";
import { capabilities } from "./router.ts";
import { buildServices, type ServiceDeps, type Services } from "./services.ts";

/** Builds the services of all domains. Agents and chat call the procedures of these same services as tools. */
export function createServices(deps: ServiceDeps): Services {
  const tools = createWorkspaceTools(capabilities, ({ principal, origin }) => ({ principal, origin, services }));
  const services = buildServices(deps, tools);
  return services;
}
