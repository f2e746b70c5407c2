import type { ShellWord } from "../shell/word-fields.ts";
import type { PathAccess } from "./policy.ts";

/** A file that a command names, and what the command does with it. */
export interface TouchedFile {
  readonly word: ShellWord;
  readonly access: PathAccess;
  /** The directory that a relative name refers to; undefined if it is unknown. */
  readonly cwd: string | undefined;
  /** Whether an entire tree is affected. */
  readonly isRecursive: boolean;
  /** Whether it is written from the start, so that what it contained is gone. */
  readonly isReplaced: boolean;
  /** Whether nothing is left of what it contained. */
  readonly isEmptied: boolean;
  /** The names that files get if it is a folder into which they are copied. */
  readonly copied?: readonly string[] | undefined;
  /** The file or folder on this machine to which what is read is copied. */
  readonly copiedTo?: ShellWord | undefined;
  /** Where it is moved to. */
  readonly target?: string | undefined;
  /**
   * Whether nothing of it is lost, since it is moved or empty; whether it is whatever has such a name, at any depth; or whether the
   * shell reads variables from it, or a substitution its content.
   */
  readonly manner?: "kept" | "found" | "sourced" | "assigned" | undefined;
}

/** Makes a file of a command from its name there. */
export type Touch = (word: ShellWord, access: PathAccess, isRecursive?: boolean) => TouchedFile;
