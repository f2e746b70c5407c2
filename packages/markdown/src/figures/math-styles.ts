/** Styles of cells, which our style sheets have as classes, because pages forbid styles in elements. */
const CLASS_OF: Readonly<Record<string, string>> = {
  "padding-left:0em": "tml-pl0",
  "padding-left:0pt": "tml-pl0",
  "padding-right:0em": "tml-pr0",
  "padding-right:0pt": "tml-pr0",
  "padding-left:1em": "tml-pl1",
  "width:100%": "tml-wide",
  "width:50%": "tml-half",
  "padding:3pt": "tml-box",
};
const BORDER = /^border-(top|right|bottom|left):[\d.]+em (?:solid|dashed) ?$/;
const TAG = /<([a-z]+)((?: [a-z-]+=(?:"[^"]*"|'[^']*'))*)>/g;
const STYLE = / style="([^"]*)"/;
const CLASS = / class="([^"]*)"/;

/** MathML in which classes and attributes stand for the styles that a formula needs. Links within formulas are left out. */
export function withoutStyles(mathml: string): string {
  return mathml.replaceAll(TAG, (whole, name: string, attributes: string) => {
    const style = STYLE.exec(attributes)?.[1];
    return style === undefined ? whole : `<${name}${restyled(attributes, style.split(";"))}>`;
  });
}

function restyled(attributes: string, styles: readonly string[]): string {
  const classes = [CLASS.exec(attributes)?.[1] ?? "", ...styles.map(classOf)].filter((name) => name !== "");
  const rest = attributes.replace(STYLE, "").replace(CLASS, "");
  const color = styles.map((style) => /^color:(#[0-9a-f]{3,8}|[a-z]+)$/i.exec(style)?.[1]).find(Boolean);
  return [
    rest,
    classes.length === 0 ? "" : ` class="${classes.join(" ")}"`,
    color === undefined ? "" : ` mathcolor="${color}"`,
  ].join("");
}

function classOf(style: string): string {
  const side = BORDER.exec(style)?.[1];
  return side === undefined ? (CLASS_OF[style] ?? "") : `tml-border-${side}`;
}
