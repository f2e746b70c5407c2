const HOME = "/";

/** Where to go after the sign-in: the wanted address where it is one of ours, else home. Other sites are not led to. */
export function nextAddress(wanted: string | undefined): string {
  return wanted !== undefined && /^\/(?![/\\])/.test(wanted) ? wanted : HOME;
}
