/** How large the window is that a test uses, and in which colours. */
export const SIZES = {
  desktop: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
} as const;
export type Size = keyof typeof SIZES;

export const THEMES = ["light", "dark"] as const;
export type Theme = (typeof THEMES)[number];
