export { escapeHtml } from "./escape-html.ts";
export { FIGURE_SELECTOR, isFigureKind, readFigures, type Figure, type FigureKind } from "./figures/figure-html.ts";
export { isQuick, notePieces, renderNote, sourcePieces, type Piece } from "./pieces/note-pieces.ts";
export { BLOCK_TAGS, MATH_POLICY, TEXT_POLICY } from "./policy.ts";
export { readCalloutHeader, type CalloutHeader, type CalloutKind } from "./syntax/callouts.ts";
export { mathBlockLength, readInlineMath } from "./syntax/math.ts";
export { findWikiLinks, type WikiLink } from "./syntax/wiki-links.ts";
export { withToggledTask } from "./task-lines.ts";
export { textChunks } from "./text-chunks.ts";
