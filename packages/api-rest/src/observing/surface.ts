/** The beginnings of paths, those before others that they begin with. */
const SURFACES: readonly (readonly [prefix: string, surface: string])[] = [
  ["/api/v1/", "v1"],
  ["/api/trpc/", "trpc"],
  ["/api/auth/", "auth"],
  ["/api/hooks/", "hooks"],
  ["/api/fs/", "files"],
  ["/api/", "api"],
  ["/mcp", "mcp"],
  ["/caldav", "caldav"],
  ["/feeds/", "feeds"],
  ["/share/", "share"],
  ["/metrics", "metrics"],
  ["/livez", "health"],
  ["/readyz", "health"],
  ["/assets/", "assets"],
];

/** What a request is counted as: a part of the API, or a page. There are few, however many URLs are tried. */
export function surfaceOf(url: string): string {
  for (const [prefix, surface] of SURFACES) if (url.startsWith(prefix)) return surface;
  return "pages";
}
