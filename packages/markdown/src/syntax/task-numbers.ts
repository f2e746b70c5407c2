import type { Token } from "marked";
import { taskWords } from "../task-lines.ts";

const ITEM = /^\s*(?:[-*+]|\d+[.)])\s+\[[ xX]\]([^\n]*)/;

const numberOf = new WeakMap<Token, number>();

/** The index of the line of the task that a checkbox belongs to, counted from 0; undefined if it cannot be ticked. */
export function taskNumber(box: Token): number | undefined {
  return numberOf.get(box);
}

/**
 * Finds the line of each checkbox of a text. Lines that look like tasks and are none, such as those in indented code, are
 * skipped by comparing their words.
 */
export class TaskNumbers {
  readonly #lines: Iterator<string>;
  #number = -1;
  #words: string | null = null;

  constructor(text: string) {
    this.#lines = taskWords(text);
  }

  /** To be called for every token of the text, in order. */
  add(token: Token): void {
    if (token.type === "list_item") this.#words = ITEM.exec(token.raw)?.[1]?.trim() ?? null;
    if (token.type !== "checkbox" || this.#words === null) return;
    for (let line = this.#lines.next(); line.done !== true; line = this.#lines.next()) {
      this.#number += 1;
      if (line.value !== this.#words) continue;
      numberOf.set(token, this.#number);
      return;
    }
  }
}
