const HOME = "/";

/** Where to go after signing in: the requested address if it belongs to this app, otherwise home. Never another site. */
export function redirectPath(wanted: string | undefined): string {
  return wanted !== undefined && /^\/(?![/\\])/.test(wanted) ? wanted : HOME;
}
