import { lstatSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import type { Home } from "../files/home.ts";
import { forFs, toText } from "./raw-path.ts";
import type { LeftOut } from "./record-tree.ts";
import type { Turn } from "./turn-state.ts";
import { type TurnRecord, attemptsOf } from "./undo-store.ts";

/** Folders that package managers, builds and tests fill again. */
const MADE_AGAIN = new Set(
  "node_modules bower_components .venv venv __pycache__ .tox .gradle .nox .eggs .yarn .pnpm-store vendor Pods .dart_tool .terraform deps _build elm-stuff dist-newstyle .stack-work dist build out output target obj bin DerivedData .next .nuxt .output .svelte-kit .angular .astro .docusaurus storybook-static .vite .turbo .nx .parcel-cache .cache cache tmp temp .tmp logs log coverage htmlcov .nyc_output .pytest_cache .mypy_cache .ruff_cache .hypothesis .ipynb_checkpoints playwright-report test-results".split(
    " ",
  ),
);
const FILES_MADE_AGAIN = new Set(
  ".log .tmp .pyc .pyo .o .obj .a .so .dylib .dll .exe .class .jar .map .tsbuildinfo .pid .tgz .whl".split(" "),
);
/** More of them are named by the folders that they are in. */
const MAX_NAMED = 200;

/** What is left out of a record though it exists, and whether it can be made again as a rule. */
export interface Unrecorded {
  /** From the root; a folder's ends with a slash. */
  readonly path: string;
  readonly isMadeAgain: boolean;
}

/** What an undo with this record would not bring back. What is no file holds nothing, and a git directory elsewhere is safe there. */
export function unrecordedOf(root: string, { leftOut }: Pick<TurnRecord, "leftOut">): readonly Unrecorded[] {
  return leftOut.filter(isUnrecorded).map(({ path, reason }) => {
    const text = toText(path);
    const isFolder = lstatSync(forFs(join(root, path)), { throwIfNoEntry: false })?.isDirectory() === true;
    const isMadeAgain = reason === "ignored" && isNamedSo(text);
    return { path: isFolder ? `${text}/` : text, isMadeAgain };
  });
}

function isUnrecorded({ reason }: LeftOut): boolean {
  return reason !== "special" && reason !== "outside";
}

function isNamedSo(path: string): boolean {
  return FILES_MADE_AGAIN.has(extname(path)) || path.split("/").some((name) => MADE_AGAIN.has(name));
}

/**
 * Absolute paths of what the last record of a turn does not hold and nothing makes again, folders with a slash at the end. Never
 * throws.
 */
export function unrecordedFiles(home: Home, turn: Turn): readonly string[] {
  try {
    const record = attemptsOf(home, turn).findLast((attempt) => "tree" in attempt);
    if (record === undefined) return [];
    const paths = unrecordedOf(turn.root, record).flatMap(({ path, isMadeAgain }) =>
      isMadeAgain ? [] : `${turn.root}/${path}`,
    );
    return paths.length <= MAX_NAMED ? paths : [...new Set(paths.map((path) => `${dirname(path)}/`))];
  } catch {
    return [];
  }
}
