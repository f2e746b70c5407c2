import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { HarnessId } from "../src/harness/harness.ts";

/** What an assistant needs to be run in an empty home: the model's address, and the workspace's for MCP. */
export interface Surroundings {
  readonly home: string;
  readonly project: string;
  readonly modelUrl: string;
  readonly mcpUrl: string;
  readonly mcpKey: string;
}

/** One release of an assistant, and how it is run without a terminal. */
export interface Release {
  readonly harness: HarnessId;
  readonly title: string;
  readonly packageName: string;
  readonly version: string;
  readonly command: string;
  /** Writes the assistant's own settings, as its user would have them. */
  configure(surroundings: Surroundings): void;
  readonly args: (prompt: string) => readonly string[];
  readonly env: (surroundings: Surroundings) => Readonly<Record<string, string>>;
}

/** Claude Code reserves `workspace` for itself. */
const MCP_SERVER = "my-workspace";
const MADE_UP_KEY = "made-up";

function writeJson(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(value, undefined, 2)}\n`);
}

const authorization = (key: string) => ({ Authorization: `Bearer ${key}` });

const claudeCode = (version: string): Release => ({
  harness: "claude-code",
  title: "Claude Code",
  packageName: "@anthropic-ai/claude-code",
  version,
  command: "claude",
  configure({ home, project, mcpUrl, mcpKey }) {
    const server = { type: "http", url: mcpUrl, headers: authorization(mcpKey) };
    writeJson(join(project, ".mcp.json"), { mcpServers: { [MCP_SERVER]: server } });
    const permissions = { allow: ["Bash(*)", `mcp__${MCP_SERVER}`] };
    writeJson(join(home, ".claude/settings.json"), { permissions, enableAllProjectMcpServers: true });
  },
  args: (prompt) => ["-p", prompt, "--model", "claude-sonnet-4-5"],
  env: ({ modelUrl }) => ({
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: MADE_UP_KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    // Otherwise the tools of MCP servers are only shown to a model that searches for them.
    ENABLE_TOOL_SEARCH: "false",
  }),
});

const codex = (version: string): Release => ({
  harness: "codex",
  title: "Codex",
  packageName: "@openai/codex",
  version,
  command: "codex",
  configure({ home, project, modelUrl, mcpUrl, mcpKey }) {
    const config = `model = "gpt-5.1-codex"
model_provider = "scripted"

[model_providers.scripted]
name = "scripted"
base_url = "${modelUrl}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"

[mcp_servers.${MCP_SERVER}]
url = "${mcpUrl}"
http_headers = { Authorization = "Bearer ${mcpKey}" }

[projects."${project}"]
trust_level = "trusted"
`;
    mkdirSync(join(home, ".codex"), { recursive: true });
    writeFileSync(join(home, ".codex/config.toml"), config);
  },
  // Hooks can only be trusted in its terminal, which a person does with /hooks.
  args: (prompt) => ["exec", "--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust", prompt],
  env: () => ({ SCRIPTED_KEY: MADE_UP_KEY }),
});

const geminiCli = (version: string): Release => ({
  harness: "gemini-cli",
  title: "Gemini CLI",
  packageName: "@google/gemini-cli",
  version,
  command: "gemini",
  configure({ home, mcpUrl, mcpKey }) {
    writeJson(join(home, ".gemini/settings.json"), {
      security: { auth: { selectedType: "gemini-api-key" } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false },
      mcpServers: { [MCP_SERVER]: { httpUrl: mcpUrl, headers: authorization(mcpKey) } },
    });
  },
  args: (prompt) => ["-p", prompt, "--yolo", "-m", "gemini-2.5-pro"],
  env: ({ modelUrl }) => ({
    GEMINI_API_KEY: MADE_UP_KEY,
    GOOGLE_GEMINI_BASE_URL: modelUrl,
    GEMINI_CLI_TRUST_WORKSPACE: "true",
  }),
});

const opencode = (version: string): Release => ({
  harness: "opencode",
  title: "opencode",
  packageName: "opencode-ai",
  version,
  command: "opencode",
  configure({ home, modelUrl, mcpUrl, mcpKey }) {
    const model = "anthropic/claude-sonnet-4-5";
    writeJson(join(home, ".config/opencode/opencode.json"), {
      model,
      small_model: model,
      autoupdate: false,
      share: "disabled",
      provider: { anthropic: { options: { baseURL: `${modelUrl}/v1`, apiKey: MADE_UP_KEY } } },
      mcp: { [MCP_SERVER]: { type: "remote", url: mcpUrl, headers: authorization(mcpKey), oauth: false } },
    });
  },
  args: (prompt) => ["run", prompt],
  env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" }),
});

/** The releases that are tried; each new one is tried before it is added. */
export const RELEASES: readonly Release[] = [
  claudeCode("2.1.332"),
  claudeCode("2.1.197"),
  codex("0.171.0"),
  codex("0.169.0"),
  geminiCli("0.61.0"),
  opencode("1.18.33"),
];
