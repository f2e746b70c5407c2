import { type Dissection, dissect } from "../shell/dissect.ts";
import { type ShellWord, textsOf } from "../shell/word-fields.ts";
import { pathsOutside } from "../shell/container.ts";
import { readableScript } from "../shell/windows-script.ts";
import type { ShellCommand } from "../shell/shell-command.ts";
import { UNKNOWN } from "../shell/unknown.ts";
import { type FileLocation, isInsideProject, locate } from "./file-location.ts";
import type { PathAccess } from "./policy.ts";
import type { PolicyFacts } from "./policy-facts.ts";
import type { ToolCall } from "./tool-call.ts";
import type { TouchedFile } from "./touched-file.ts";
import { touchedFiles } from "./touched-files.ts";

/** A file that a call touches. */
export interface SubjectFile {
  /** The name used in the call. */
  readonly word: ShellWord;
  readonly location: FileLocation;
  readonly access: PathAccess;
  readonly isRecursive: boolean;
  /** Whether its former content is replaced. */
  readonly isReplaced: boolean;
  /** Whether nothing is left of its former content. */
  readonly isEmptied: boolean;
  /** The names that files get if it is a folder into which they are copied. */
  readonly copied?: readonly string[] | undefined;
  /** Whether it is on another machine or in a container. */
  readonly isElsewhere?: boolean | undefined;
  /** The file or folder on this machine to which what is read is copied. */
  readonly copiedTo?: FileLocation | undefined;
  /** Where it is moved to. */
  readonly target?: string | undefined;
  /**
   * Whether nothing of it is lost, since it is moved or empty; whether it is whatever has such a name, at any depth; or whether the
   * shell reads variables from it, or a substitution its content.
   */
  readonly manner?: "kept" | "found" | "sourced" | "assigned" | undefined;
}

/** Programs that start others on another machine. */
export const MACHINES = new Set(
  "ssh mosh pdsh clush pssh parallel-ssh gcloud aws az vagrant heroku fly flyctl adb lxc incus multipass limactl".split(
    " ",
  ),
);
/** Programs that start others on another machine or in a container. */
export const ELSEWHERE = new Set([
  ...MACHINES,
  ..."docker docker-compose podman nerdctl kubectl oc crictl nomad machinectl systemd-nspawn".split(" "),
]);

/** `[ -L path ] && rm -rf path` deletes a link, and nothing that it leads to. */
function withoutLinks(files: readonly TouchedFile[], before: ShellCommand | undefined): readonly TouchedFile[] {
  const texts = textsOf(before?.words ?? []);
  if (!/^(?:\[|test)$/.test(texts[0] ?? "") || !/^-[Lh]$/.test(texts[1] ?? "")) return files;
  return files.map((file) =>
    file.access === "delete" && file.word.text === texts[2]
      ? { ...file, isRecursive: false, manner: "kept", target: "" }
      : file,
  );
}

/** A tool call with everything that rules may query; each part is computed when it is first needed. */
export class CallSubject {
  readonly call: ToolCall;
  readonly facts: PolicyFacts;
  #dissection: Dissection | undefined;
  #files: readonly SubjectFile[] | undefined;

  constructor(call: ToolCall, facts: PolicyFacts) {
    this.call = call;
    this.facts = facts;
  }

  get dissection(): Dissection {
    const { cwd, environment, projectRoot } = this.facts;
    const { name, script } = this.call;
    this.#dissection ??=
      script === undefined
        ? { commands: [], problem: undefined, isCutOff: false, multiplies: undefined }
        : dissect(/^powershell$/i.test(name) ? readableScript(script) : script, { cwd, environment, projectRoot });
    return this.#dissection;
  }

  get files(): readonly SubjectFile[] {
    this.#files ??= [...this.#filesOfTool(), ...this.#filesOfScript()];
    return this.#files;
  }

  #filesOfTool(): readonly SubjectFile[] {
    return this.call.files.map(({ path, access }) => {
      const word = { text: path, hasGlob: this.call.commonName === "Grep" && /[*?[]/.test(path) };
      return {
        word,
        location: locate(word, this.facts.cwd, this.facts),
        access,
        isRecursive: access === "delete",
        isReplaced: false,
        isEmptied: false,
      };
    });
  }

  #filesOfScript(): readonly SubjectFile[] {
    const { commands } = this.dissection;
    return commands.flatMap((command, index) =>
      withoutLinks(touchedFiles(command), commands[index - 1]).flatMap(({ cwd, copiedTo, ...file }) => {
        const location = locate(file.word, cwd, this.facts);
        return this.#onMachine(location, command, file.isRecursive).map((place) => ({
          ...file,
          ...(file.access === "read" && command.wrappers[0] === "$()" && { manner: "assigned" }),
          location: place,
          copiedTo: copiedTo && locate(copiedTo, cwd, this.facts),
          isElsewhere: command.wrappers.some((wrapper) => ELSEWHERE.has(wrapper)),
        }));
      }),
    );
  }

  /** Where a file of a container is on the machine: nowhere if it is not mounted. */
  #onMachine(location: FileLocation, { container }: ShellCommand, isRecursive: boolean): readonly FileLocation[] {
    if (container === undefined) return [location];
    if (location.kind === "known")
      return pathsOutside(container, location.path, isRecursive).map((path) =>
        path.startsWith(UNKNOWN) ? { kind: "unknown" } : { kind: "known", path },
      );
    const isElsewhere = container.mounts.some(
      ({ host }) => host === undefined || (host !== this.facts.projectRoot && !isInsideProject(host, this.facts)),
    );
    return isElsewhere ? [location] : [];
  }
}
