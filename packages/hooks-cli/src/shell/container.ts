import { resolve } from "node:path";
import { optionValues } from "./option-values.ts";
import { UNKNOWN } from "./unknown.ts";
import { type ShellWord, textsOf } from "./word-fields.ts";

/** A container that a command has started from an image, so that only what is mounted was there before. */
export interface Container {
  readonly mounts: readonly Mount[];
  readonly workdir: string | undefined;
}

interface Mount {
  /** A folder of the machine; undefined for a volume. */
  readonly host: string | undefined;
  readonly inner: string;
}

/** The container of `docker run` with some options. */
export function readContainer(options: readonly ShellWord[], cwd: string | undefined): Container {
  const texts = (names: readonly string[]): readonly string[] => textsOf(optionValues(options, names));
  const bound = texts(["-v", "--volume"]).map((text) => text.split(":"));
  const mounted = texts(["--mount"]).map((text) => {
    const value = (names: string): string | undefined => new RegExp(`(?:^|,)(?:${names})=([^,]*)`).exec(text)?.[1];
    return [value("source|src") ?? "", value("target|destination|dst") ?? ""];
  });
  const mounts = [...bound, ...mounted].flatMap(([host = "", inner]): Mount[] => {
    if (inner === undefined || inner === "") return [];
    const isFolder = /[./~]/.test(host) || host.startsWith(UNKNOWN);
    return [{ host: isFolder ? (host.startsWith(UNKNOWN) ? host : resolve(cwd ?? "/", host)) : undefined, inner }];
  });
  return { mounts, workdir: texts(["-w", "--workdir"]).at(-1) };
}

/**
 * What a path in a container is on the machine: paths that are mounted there, also below it if a whole tree is meant. What else
 * there is in a new container is no loss. A path in a volume is returned as it is.
 */
export function pathsOutside({ mounts }: Container, path: string, isRecursive: boolean): readonly string[] {
  return mounts.flatMap(({ host, inner }) => {
    const top = inner.replace(/\/$/, "");
    if (path === top || path.startsWith(`${top}/`))
      return host === undefined ? path : `${host === "/" ? "" : host}${path.slice(top.length)}` || "/";
    const isAbove = isRecursive && `${top}/`.startsWith(path === "/" ? "/" : `${path}/`);
    return isAbove ? (host ?? inner) : [];
  });
}
