import { foldText } from "../../../platform/fold-text.ts";

/** Names in one folder, of which no two may be the same, in whatever case. */
export class FreeNames {
  /** The folded names that are taken, and with which number the next one of that name is free at the earliest. */
  readonly #taken = new Map<string, number>();

  /** Takes a name, or the first of `name 2`, `name 3` and so on that is free, and returns it. */
  take(wanted: string): string {
    let name = wanted;
    let number = this.#taken.get(foldText(wanted)) ?? 2;
    for (; this.#taken.has(foldText(name)); number += 1) name = `${wanted} ${number}`;
    this.#taken.set(foldText(wanted), number);
    if (name !== wanted) this.#taken.set(foldText(name), 2);
    return name;
  }
}
