/** Whether an update gives any field; without one, it must change nothing, not even the version. */
export function givesFields(patch: object): boolean {
  return Object.values(patch).some((value) => value !== undefined);
}
