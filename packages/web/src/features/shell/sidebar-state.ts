import { readStored, useStored, writeStored } from "../../browser/stored-value.ts";

const KEY = "sidebar";
/** Below this width the sidebar starts as a strip of icons. */
const NARROW = "(max-width: 1023px)";

export function useIsSidebarCollapsed(): boolean {
  const [stored] = useStored(KEY);
  return isCollapsed(stored);
}

export function toggleSidebar(): void {
  writeStored(KEY, isCollapsed(readStored(KEY)) ? "open" : "collapsed");
}

function isCollapsed(stored: string | null): boolean {
  return stored === null ? matchMedia(NARROW).matches : stored === "collapsed";
}
