/** The result of one check; a failure says what to do about it. */
export interface Check {
  readonly title: string;
  readonly failure: string | undefined;
  /** Why it could not be found out, or holds with a limit; not a failure. */
  readonly unproven?: string | undefined;
}

/** A check as a line: ✓ for what is proven, ✗ for what fails, – for what is not known. */
export function describeCheck({ title, failure, unproven }: Check): string {
  if (failure !== undefined) return `✗ ${title}: ${failure}`;
  return unproven === undefined ? `✓ ${title}` : `– ${title}: ${unproven}`;
}
