/** Whether shortcuts are written with ⌘ (Apple) or Ctrl. */
export const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Lets the browser paint and answer input before work goes on. */
export function yieldToBrowser(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
