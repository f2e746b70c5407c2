import { notePieces, type Piece } from "./note-pieces.ts";

/** What the worker posts: that it is ready, the next pieces of a text, or that the text is too complex for it. */
export type WorkerMessage = "ready" | "too complex" | { readonly pieces: readonly Piece[]; readonly isLast: boolean };

/** The first message should arrive soon; the others should be few. */
const FIRST_CHARACTERS = 16_000;
const OTHER_CHARACTERS = 200_000;

function* renderMessages(text: string): Generator<WorkerMessage> {
  let pieces: Piece[] = [];
  let [characters, limit] = [0, FIRST_CHARACTERS];
  for (const piece of notePieces(text)) {
    pieces.push(piece);
    characters += piece.html.length;
    if (characters < limit) continue;
    yield { pieces, isLast: false };
    [pieces, characters, limit] = [[], 0, OTHER_CHARACTERS];
  }
  yield { pieces, isLast: true };
}

addEventListener("message", ({ data }: MessageEvent<string>) => {
  try {
    for (const message of renderMessages(data)) postMessage(message);
  } catch {
    postMessage("too complex" satisfies WorkerMessage);
  }
});
// Loading all this has taken a while; the time limit of a text starts now.
postMessage("ready" satisfies WorkerMessage);
