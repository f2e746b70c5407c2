/** Where the project is, and the user's home. */
export interface ProjectFacts {
  /** The root of the project; everything below it is inside. */
  readonly projectRoot: string;
  readonly home: string | undefined;
}

/** What rules can query about the machine; passed in, so that the rules themselves perform no I/O. */
export interface PolicyFacts extends ProjectFacts {
  /** The directory that relative names refer to. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Directories where anyone may write and delete. */
  readonly temporaryDirs: readonly string[];
  /** The path with all links resolved, as far as it exists. */
  readonly realPath: (path: string) => string;
  /** Whether a file exists at a path, which would be overwritten. */
  readonly isFile: (path: string) => boolean;
  /** Absolute paths that undo would not bring back, folders with a slash at the end; undefined if that is not known. */
  readonly unrecorded?: readonly string[];
  /** Whether there is anything at a path, which would be deleted. */
  readonly exists: (path: string) => boolean;
  /** The start of a text file; undefined if there is none. */
  readonly contentOf: (path: string) => string | undefined;
  /** The current branch in a directory. */
  readonly branchAt: (directory: string) => string | undefined;
}
