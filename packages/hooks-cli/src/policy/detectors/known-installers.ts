import { type ShellCommand, argumentsOf } from "../../shell/shell-command.ts";

/**
 * Installers of developers' tools, at the URLs where their makers publish them. Running one is as safe as installing the tool with a
 * package manager, which no rule refuses.
 */
const INSTALLERS: readonly RegExp[] = [
  /^astral\.sh\/(?:uv|ruff|ty)\/(?:[\d.]+\/)?install\.(?:sh|ps1)$/,
  /^github\.com\/astral-sh\/(?:uv|ruff|ty)\/releases\/(?:latest\/download|download\/[\d.]+)\/(?:uv|ruff|ty)-installer\.(?:sh|ps1)$/,
  /^sh\.rustup\.rs\/?$/,
  /^deno\.land\/(?:x\/install\/)?install\.(?:sh|ps1)$/,
  /^bun\.(?:sh|com)\/install(?:\.ps1)?$/,
  /^get\.pnpm\.io\/install\.(?:sh|ps1)$/,
  /^install\.python-poetry\.org\/?$/,
  /^pyenv\.run\/?$/,
  /^mise\.run\/?$/,
  /^get\.volta\.sh\/?$/,
  /^get\.sdkman\.io\/?$/,
  /^golangci-lint\.run\/install\.sh$/,
  /^raw\.githubusercontent\.com\/golangci\/(?:golangci-lint\/(?:HEAD|main|master|v[\d.]+)\/install|misspell\/(?:HEAD|master|v[\d.]+)\/install-misspell)\.sh$/,
  /^dot\.net\/v1\/dotnet-install\.(?:sh|ps1)$/,
  /^goreleaser\.com\/static\/run$/,
  /^raw\.githubusercontent\.com\/nvm-sh\/nvm\/(?:HEAD|master|v[\d.]+)\/install\.sh$/,
  /^raw\.githubusercontent\.com\/helm\/helm\/(?:HEAD|main|master|v[\d.]+)\/scripts\/get-helm-[34]$/,
];

/** Options that change neither where the script comes from nor how it is verified. */
const OPTIONS: Readonly<Record<string, RegExp>> = {
  curl: /^(?:-[fsSL]+|--(?:fail|silent|show-error|location|compressed|tlsv1\.[23]|proto|retry))$/,
  wget: /^(?:-q?O-?|-q|-nv|--quiet|--output-document=-|--https-only)$/,
  irm: /^-useb(?:asicparsing)?$/i,
};

/** The values of those options that have one, and `wget`'s `-O -`. */
const VALUES = /^(?:=https|\d{1,2}|-)$/;

/** Whether a command prints an installer that its makers publish, and nothing else, over a connection that is verified. */
export function printsKnownInstaller(command: ShellCommand): boolean {
  const allowed = OPTIONS[(command.words[0]?.text ?? "").toLowerCase()];
  if (allowed === undefined || command.redirects.length > 0 || command.wrappers.includes("ssh")) return false;
  const others = argumentsOf(command)
    .map(({ text }) => text)
    .filter((text) => !allowed.test(text) && !VALUES.test(text));
  const [url = ""] = others;
  return (
    others.length === 1 &&
    url.startsWith("https://") &&
    INSTALLERS.some((pattern) => pattern.test(url.slice("https://".length)))
  );
}
