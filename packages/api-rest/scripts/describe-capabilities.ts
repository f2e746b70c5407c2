import type { Access, NamedCapability, Operation, Services } from "@workspace/core";

const HEADER = `# Capabilities

Every procedure, what it does at most, and who may call it where. Generated from the procedures, for reviews of changes.

| procedure | effect | \`/api\` | for | \`/api/v1\` | for | tool of MCP | tool of agents and chat |
| --- | --- | --- | --- | --- | --- | --- | --- |
`;

/** Lists the capabilities as a table in Markdown, so that a change of who may do what is a changed line. */
export function describeCapabilities(capabilities: readonly NamedCapability<Services>[]): string {
  return HEADER + capabilities.map((capability) => `| ${describeCapability(capability).join(" | ")} |\n`).join("");
}

function describeCapability({ name, effect, api, v1, ...tool }: NamedCapability<Services>): string[] {
  const isMcpTool = v1 !== undefined && tool.toolDescription !== undefined;
  return [
    name,
    effect,
    addressOf(api),
    describeAccess(api.access),
    addressOf(v1),
    v1 === undefined ? "" : describeAccess(v1.access),
    isMcpTool ? tool.toolName : "",
    tool.modelTool === undefined ? "" : tool.toolName,
  ];
}

function addressOf(operation: Operation<Services> | undefined): string {
  return operation?.route === undefined ? "" : `${operation.route.method} ${operation.route.path}`;
}

function describeAccess(access: Access): string {
  if (typeof access === "string") return access;
  return "key" in access ? access.key.join(" or ") : `user or ${access.userOrKey}`;
}
