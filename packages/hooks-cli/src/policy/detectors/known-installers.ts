import { type ShellCommand, argumentsOf } from "../../shell/shell-command.ts";
import { textAt, textsOf } from "../../shell/word-fields.ts";
import { UNKNOWN } from "../../shell/unknown.ts";

/**
 * Installers of developers' tools, at the URLs where their makers publish them: expressions in which a dot is a dot, `@` a branch or
 * a version, and `#` a version, which may be that of a variable where only the makers publish on the host. Running one is as safe as
 * installing the tool with a package manager, which no rule refuses, also as root. Those that add a source of packages or start a
 * service are not among them.
 */
const INSTALLERS = `
astral.sh/(uv|ruff|ty)/(#/)?install.(sh|ps1)
rye.astral.sh/get
github.com/astral-sh/(uv|ruff|ty)/releases/(latest/download|download/@)/(uv|ruff|ty)-installer.(sh|ps1)
github.com/axodotdev/cargo-dist/releases/download/@/cargo-dist-installer.(sh|ps1)
sh.rustup.rs/?
deno.land/(x/install/)?install.(sh|ps1)
bun.(sh|com)/install(.ps1)?
get.pnpm.io/install.(sh|ps1)
install.python-poetry.org/?
pyenv.run/?
mise.(run/?|jdx.dev/install.sh)
get.volta.sh/?
get.sdkman.io/?
golangci-lint.run/install.sh
dot.net/v1/dotnet-install.(sh|ps1)
goreleaser.com/static/run
get.pulumi.com/?
fnm.vercel.app/install
istio.io/downloadIstio
run.linkerd.io/install(-edge)?
get.anchore.io/(syft|grype)
starship.rs/install.sh
fly.io/install.sh
wasmtime.dev/install.sh
pixi.sh/install.sh
foundry.paradigm.xyz/?
claude.ai/install.(sh|ps1)
opencode.ai/install
getcomposer.org/installer
just.systems/install.sh
taskfile.dev/install.sh
dl.dagger.io/dagger/install.sh
yarnpkg.com/install.sh
install.julialang.org/?
atlasgo.sh/?
rclone.org/install.sh
sh.vector.dev/?
gateway.envoyproxy.io/get-egctl.sh
cli-assets.heroku.com/install.sh
fluxcd.io/install.sh
get.scoop.sh/?
static.rust-lang.org/rustup/(archive/#/|dist/)?(#/)?rustup-init(.sh|.exe)?
~/golangci/(golangci-lint/@/install|misspell/@/install-misspell).sh
~/nvm-sh/nvm/@/install.sh
~/helm/helm/@/scripts/get-helm-[34]
~/Homebrew/install/@/install.sh
~/kubernetes-sigs/kustomize/@/hack/install_kustomize.sh
~/anchore/(syft|grype)/@/install.sh
~/k3d-io/k3d/@/install.sh
~/nektos/act/@/install.sh
~/ohmyzsh/ohmyzsh/@/tools/install.sh
~/cargo-bins/cargo-binstall/@/install-from-binstall-release.sh
~/terraform-linters/tflint/@/install_linux.sh
~/fluxcd/flux2/@/install/flux.sh
~/chroma-core/chroma/@/rust/cli/install/install.sh
~/rhysd/actionlint/@/scripts/download-actionlint.bash
github.com/Kitware/CMake/releases/download/@/cmake-@-(linux|macos)-[a-z0-9_]+.sh
github.com/linuxdeploy/linuxdeploy/releases/download/(continuous|@)/linuxdeploy-[a-z0-9_]+.AppImage
`
  .trim()
  .replaceAll(".", String.raw`\.`)
  .replaceAll("@", String.raw`(HEAD|main|master|v?[\d.]+)`)
  .replaceAll("#", String.raw`([\d.]+|${UNKNOWN})`)
  .replaceAll("~/", String.raw`raw\.githubusercontent\.com/`)
  .split("\n")
  .map((pattern) => new RegExp(`^(?:${pattern})$`));

/** Options that change neither where the script comes from nor how it is verified; it may be saved. */
const OPTIONS: Readonly<Record<string, RegExp>> = {
  curl: /^(?:-[fsSLoOq#]+|-o-|--(?:fail|silent|show-error|location|remote-name|output|compressed|tlsv1\.[23]|proto|retry(?:-delay|-all-errors|-connrefused)?|connect-timeout|max-time))$/,
  wget: /^(?:-q?O-?|-q|-nv|--quiet|--output-document=-|--https-only)$/,
  irm: /^-useb(?:asicparsing)?$/i,
};

/** The values of those options that have one, after their program and their option. */
const VALUES =
  /^(?:curl (?:--proto =https|--(?:retry|retry-delay|connect-timeout|max-time) \d{1,3}|(?:-[fsSL]*o|--output) \S+)|wget -q?O \S+)$/;

/** Whether a command prints or saves an installer that its makers publish, and nothing else, over a connection that is verified. */
export function printsKnownInstaller(command: ShellCommand): boolean {
  const program = textAt(command.words, 0).toLowerCase();
  const allowed = OPTIONS[program];
  if (allowed === undefined || command.wrappers.includes("ssh")) return false;
  if (command.redirects.some(({ operator }) => !/^>\|?$/.test(operator))) return false;
  const others = textsOf(argumentsOf(command)).filter(
    (text, index, all) => !allowed.test(text) && !VALUES.test(`${program} ${all[index - 1]} ${text}`),
  );
  const [url = ""] = others;
  return (
    others.length === 1 &&
    url.startsWith("https://") &&
    INSTALLERS.some((pattern) => pattern.test(url.slice("https://".length)))
  );
}
