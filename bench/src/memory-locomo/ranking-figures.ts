const DEPTH = 10;
const CONTEXT = 5;

/** Averages over questions, each from 0 to 1. */
export interface Figures {
  /** Adds a question with the texts that answer it and those found, best first. */
  add(relevant: ReadonlySet<number>, found: readonly number[]): void;
  readonly questions: number;
  readonly ndcg: number;
  readonly recall: number;
  /** How often one of the first five is relevant. */
  readonly hits: number;
}

export function createFigures(): Figures {
  let questions = 0;
  const sums = { ndcg: 0, recall: 0, hits: 0 };
  return {
    add(relevant, found) {
      const gain = (place: number): number => 1 / Math.log2(place + 2);
      const first = found.slice(0, DEPTH);
      const gained = first.reduce((sum, index, place) => sum + (relevant.has(index) ? gain(place) : 0), 0);
      const best = Array.from({ length: Math.min(DEPTH, relevant.size) }, (_, place) => gain(place));
      questions += 1;
      sums.ndcg += gained / best.reduce((sum, value) => sum + value, 0);
      sums.recall += first.filter((index) => relevant.has(index)).length / relevant.size;
      sums.hits += first.slice(0, CONTEXT).some((index) => relevant.has(index)) ? 1 : 0;
    },
    get questions() {
      return questions;
    },
    get ndcg() {
      return sums.ndcg / questions;
    },
    get recall() {
      return sums.recall / questions;
    },
    get hits() {
      return sums.hits / questions;
    },
  };
}

export function formatFigures(name: string, { questions, ndcg, recall, hits }: Figures): string {
  const columns = [`nDCG@10 ${ndcg.toFixed(3)}`, `recall@10 ${recall.toFixed(3)}`, `hit@5 ${hits.toFixed(3)}`];
  return [name.padEnd(10), ...columns, `${questions} questions`].join("  ");
}
