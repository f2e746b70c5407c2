/** Set by the build. */
declare const HOOKS_VERSION: string | undefined;

export const VERSION: string = typeof HOOKS_VERSION === "string" ? HOOKS_VERSION : "development";
