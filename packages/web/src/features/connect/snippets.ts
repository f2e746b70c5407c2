import type { ScopeSet } from "./api-key.ts";
import { isThisComputer } from "./destination.ts";

export interface Snippet {
  readonly id: string;
  readonly title: string;
  /** What it is for, in a sentence. */
  readonly purpose: string;
  /** The scopes that its key needs. */
  readonly scopeSet: ScopeSet;
  readonly blocks: readonly { readonly caption: string; readonly code: string }[];
}

/**
 * How other programs work with this server. Every block can be pasted as it is once `WORKSPACE_API_KEY` is set; those of the hooks
 * contain the key that has just been created, if there is one. `stamp`, of digits and small letters, makes the address of the hooks' package
 * one that npm has not seen before: it would run the version that it has kept.
 */
export function snippetsFor(server: string, createdKey: string | null, stamp: string): Snippet[] {
  return [
    mcpSnippet(server, isEncryptedOrLocal(server)),
    hooksSnippet(server, createdKey, stamp),
    skillSnippet(server),
    curlSnippet(server),
    typescriptSnippet(server),
  ];
}

/** The shell command that sets the key for the other snippets. */
export function exportLine(key: string): string {
  return `export WORKSPACE_API_KEY=${key}`;
}

/** Claude Code reserves `workspace` for itself. */
const MCP_SERVER_NAME = "my-workspace";

/** Whether programs can ask for access by browser, which they do not do over an open network. */
function isEncryptedOrLocal(server: string): boolean {
  const { protocol, hostname } = new URL(server);
  return protocol === "https:" || isThisComputer(hostname);
}

function mcpSnippet(server: string, canSignIn: boolean): Snippet {
  const mcp = `${server}/mcp`;
  const signIn = [
    {
      caption: "Claude Code, without a key: you allow it in the browser",
      code: `claude mcp add --transport http ${MCP_SERVER_NAME} ${mcp} && claude mcp login ${MCP_SERVER_NAME}`,
    },
    { caption: "Codex, without a key", code: `codex mcp add ${MCP_SERVER_NAME} --url ${mcp}` },
    {
      caption: `Gemini CLI, without a key: then /mcp auth ${MCP_SERVER_NAME}`,
      code: `gemini mcp add --scope user --transport http ${MCP_SERVER_NAME} ${mcp}`,
    },
  ];
  const add = `--transport http ${MCP_SERVER_NAME} ${mcp} --header "Authorization: Bearer $WORKSPACE_API_KEY"`;
  const bearer = (variable: string) => ({ Authorization: `Bearer ${variable}` });
  const opencode = {
    mcp: { [MCP_SERVER_NAME]: { type: "remote", url: mcp, headers: bearer("{env:WORKSPACE_API_KEY}"), oauth: false } },
  };
  const config = {
    mcpServers: { [MCP_SERVER_NAME]: { type: "http", url: mcp, headers: bearer("${WORKSPACE_API_KEY}") } },
  };
  return {
    id: "mcp",
    title: "MCP",
    purpose: "An assistant that speaks MCP works in the workspace directly: tasks, documents, memory, agents.",
    scopeSet: "everything",
    blocks: [
      ...(canSignIn ? signIn : []),
      { caption: "Claude Code, with a key", code: `claude mcp add ${add}` },
      {
        caption: "Codex, with a key",
        code: `codex mcp add ${MCP_SERVER_NAME} --url ${mcp} --bearer-token-env-var WORKSPACE_API_KEY`,
      },
      { caption: "Gemini CLI, with a key", code: `gemini mcp add --scope user ${add}` },
      { caption: "opencode, in opencode.json", code: JSON.stringify(opencode, null, 2) },
      { caption: "Others, as .mcp.json", code: JSON.stringify(config, null, 2) },
    ],
  };
}

function hooksSnippet(server: string, createdKey: string | null, stamp: string): Snippet {
  const program = `npx -y -p ${server}/workspace-hooks-${stamp}.tgz workspace-hooks`;
  const install = `${program} install --server ${server} --key ${createdKey ?? '"$WORKSPACE_API_KEY"'}`;
  return {
    id: "hooks",
    title: "Hooks CLI",
    purpose: "Records what a coding assistant does, guards its tool calls, and adds memories to its sessions.",
    scopeSet: "hooks",
    blocks: [
      { caption: "Install, on the machine of your assistants, for all that you have used there", code: install },
      { caption: "Or have the assistant do it", code: `Run this command and show me what it prints: ${install}` },
      { caption: "Test it end to end", code: `${program} doctor --self-test` },
    ],
  };
}

function skillSnippet(server: string): Snippet {
  return {
    id: "python",
    title: "Python skill",
    purpose: "One file without dependencies, for assistants that can only run commands, and for the command line.",
    scopeSet: "everything",
    blocks: [
      {
        caption: "Download",
        code: `curl -fsS -H "Authorization: Bearer $WORKSPACE_API_KEY" -o workspace.py ${server}/api/v1/skill`,
      },
      {
        caption: "Use",
        code: 'python3 workspace.py tasks list --status todo\npython3 workspace.py tasks create "Water the plants"\npython3 workspace.py memory search "backup"',
      },
    ],
  };
}

function curlSnippet(server: string): Snippet {
  const authorization = '-H "Authorization: Bearer $WORKSPACE_API_KEY"';
  return {
    id: "curl",
    title: "curl",
    purpose: "Any program that speaks HTTP uses the same addresses; all of them are described at /docs.",
    scopeSet: "everything",
    blocks: [
      { caption: "List tasks", code: `curl -fsS ${authorization} "${server}/api/v1/tasks?status=todo"` },
      {
        caption: "Create a task",
        code: `curl -fsS ${authorization} -H "Content-Type: application/json" \\\n  -d '{"title": "Water the plants"}' ${server}/api/v1/tasks`,
      },
    ],
  };
}

function typescriptSnippet(server: string): Snippet {
  return {
    id: "typescript",
    title: "TypeScript",
    purpose: "A typed client, generated from the server’s OpenAPI document.",
    scopeSet: "everything",
    blocks: [
      {
        caption: "Generate the types",
        code: `npm install openapi-fetch\nnpx openapi-typescript ${server}/openapi.v1.json -o workspace-api.d.ts`,
      },
      {
        caption: "Use them",
        code: `import createClient from "openapi-fetch";
import type { paths } from "./workspace-api.d.ts";

const workspace = createClient<paths>({
  baseUrl: "${server}/api/v1",
  headers: { Authorization: \`Bearer \${process.env.WORKSPACE_API_KEY}\` },
});
const { data, error } = await workspace.GET("/tasks", { params: { query: { limit: 10 } } });`,
      },
    ],
  };
}
