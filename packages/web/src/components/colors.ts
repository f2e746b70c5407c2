/** Six colours that differ in lightness as well as in hue, darkest first. */
export const PROJECT_COLORS = [
  { hex: "#5b2a9d", name: "Violet" },
  { hex: "#2563c9", name: "Blue" },
  { hex: "#d43d6b", name: "Rose" },
  { hex: "#36a869", name: "Green" },
  { hex: "#f08c2e", name: "Orange" },
  { hex: "#f2c94c", name: "Yellow" },
] as const;

export const DEFAULT_PROJECT_COLOR = PROJECT_COLORS[1].hex;

export function isHexColor(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text);
}
