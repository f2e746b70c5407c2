import { createWorkspaceTools } from "./models/tools/workspace-tools.ts";
import { capabilities } from "./router.ts";
import { buildServices, type ServiceDeps, type Services } from "./services.ts";
import { createResourceReader } from "./webhook-resource.ts";

/**
 * Builds the services of all domains. Agents and chat call the procedures of these same services as tools, and webhooks read by
 * them what they send.
 */
export function createServices(deps: ServiceDeps): Services {
  const tools = createWorkspaceTools(capabilities, ({ principal, origin }) => ({ principal, origin, services }));
  const readResource = createResourceReader({ ...deps, capabilities, services: () => services });
  const services = buildServices(deps, { procedureTools: tools, readResource });
  return services;
}
