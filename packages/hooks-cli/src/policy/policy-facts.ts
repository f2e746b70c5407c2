/** What rules may ask about the machine; given from outside, so that the rules themselves do no input or output. */
export interface PolicyFacts {
  /** Where relative names start from. */
  readonly cwd: string;
  /** The top of the project; what lies below it is inside. */
  readonly projectRoot: string;
  readonly home: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Places where anyone may write and delete. */
  readonly temporaryDirs: readonly string[];
  /** The path with every link in it resolved, as far as it exists. */
  readonly realPath: (path: string) => string;
  /** The branch that is checked out in a directory. */
  readonly branchAt: (directory: string) => string | undefined;
}
