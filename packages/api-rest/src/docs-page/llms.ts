const TEXT = `# Workspace

> A self-hosted workspace that a person and their assistants share: tasks, notes, memory, agents, chat. One server with an HTTP API.

Programs send a key as \`Authorization: Bearer\` to \`/api/v1\`; bodies are JSON, errors are \`{"message", "issues"}\`, nothing is coerced.
Lists take \`limit\` and \`cursor\`. Files are written with the hash at which they were read, so that nothing is overwritten unseen.
A POST with an \`Idempotency-Key\` can be sent again: the repeat gets the first response, and nothing is done twice.
\`GET /api/v1/changes?after=\` lists what has changed since a position.

## Reference

- [Guides and all endpoints](/docs): access, errors, paging, conflicts, realtime
- [OpenAPI for programs](/openapi.v1.json): \`/api/v1\`
- [OpenAPI of the dashboard](/openapi.json): \`/api\`, with a session or the API token
- [AsyncAPI of the WebSocket](/asyncapi.json): \`/api/ws\`

## For assistants

- [MCP](/mcp): streamable HTTP, with the same key; tools for tasks, notes, memory, search and agents
- [Command-line script](/api/v1/skill): Python without dependencies, with a key
`;

/** `/llms.txt`: where a model that is to write a program for this API, or to use it, finds what. */
export function describeForModels(basePath: string): string {
  return TEXT.replaceAll(/(?<=[(`])(?=\/[a-z])/g, basePath);
}
