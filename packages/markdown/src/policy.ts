/** What may be in HTML, whichever library removes the rest. Class, style and id may not be in any. */
export interface HtmlPolicy {
  readonly tags: readonly string[];
  readonly attributes: readonly string[];
}

/**
 * Elements that have the direction of their text, unless they are within another one of these: a list, for example, has its
 * markers on the side on which its first item begins.
 */
export const BLOCK_TAGS: readonly string[] = words("p h1 h2 h3 h4 h5 h6 ul ol dl blockquote aside table details");

/**
 * The elements and attributes of a rendered text, whether they come from Markdown or from HTML in it: nothing that runs, loads,
 * submits or has a style.
 */
export const TEXT_POLICY: HtmlPolicy = {
  tags: words(
    "h1 h2 h3 h4 h5 h6 p br wbr hr div span section aside figure figcaption blockquote q cite pre code kbd samp var dfn em i " +
      "strong b del s ins u mark sub sup small abbr time details summary ul ol li dl dt dd table thead tbody tfoot tr th td " +
      "caption ruby rt rp a img input",
  ),
  attributes: words(
    "href src alt title width align start open type checked colspan rowspan data-wiki data-part data-task data-figure " +
      "data-language data-callout data-anchor data-source",
  ),
};

/** The elements and attributes of a formula, in MathML. */
export const MATH_POLICY: HtmlPolicy = {
  tags: words(
    "math mrow mi mn mo ms mtext mspace mfrac msqrt mroot mstyle merror mpadded mphantom msub msup msubsup munder mover " +
      "munderover mmultiscripts mprescripts mtable mtr mtd menclose",
  ),
  attributes: words(
    "class display displaystyle scriptlevel mathvariant mathcolor mathbackground width height depth lspace rspace voffset " +
      "minsize maxsize stretchy symmetric fence separator form largeop movablelimits accent accentunder linethickness " +
      "columnspan rowspan notation dir",
  ),
};

function words(text: string): string[] {
  return text.split(" ");
}
