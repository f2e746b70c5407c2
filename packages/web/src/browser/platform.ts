/** Whether shortcuts are shown with ⌘ (Apple) or Ctrl. */
export const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);
