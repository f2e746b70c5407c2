export const TURNS_PER_PAGE = 100;

/** Positions of turns, from 1, both included. */
export interface TurnRange {
  readonly first: number;
  readonly last: number;
}

/** Turns that are loaded together. */
export interface TurnPage {
  readonly from: number;
  readonly count: number;
}

/** The pages that contain a range of turns, of a session with so many. */
export function pagesOfTurns({ first, last }: TurnRange, turnCount: number): TurnPage[] {
  const pages: TurnPage[] = [];
  const end = Math.min(last, turnCount);
  for (let from = pageStart(Math.max(first, 1)); from <= end; from += TURNS_PER_PAGE) {
    pages.push({ from, count: Math.min(TURNS_PER_PAGE, turnCount - from + 1) });
  }
  return pages;
}

function pageStart(position: number): number {
  return position - ((position - 1) % TURNS_PER_PAGE);
}
