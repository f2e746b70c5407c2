/**
 * The paths under `/api` that need no credentials, after the contract's section on authentication. Every other path,
 * unknown ones included, is 401 without them.
 */
export const OPEN_PATHS: readonly RegExp[] = [
  /^\/api\/health$/,
  /^\/api\/auth(\/.*)?$/,
  /^\/api\/documents\/[^/]+\/public$/,
];

export function isOpenPath(path: string): boolean {
  return OPEN_PATHS.some((pattern) => pattern.test(path));
}
