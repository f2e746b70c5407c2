/** The result of one check; a failure says what to do about it. */
export interface Check {
  readonly title: string;
  readonly failure: string | undefined;
}
