/** A position in a text being read. */
export class Cursor {
  at = 0;
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** The character here; empty at the end. */
  peek(offset = 0): string {
    return this.text.charAt(this.at + offset);
  }

  startsWith(text: string): boolean {
    return this.text.startsWith(text, this.at);
  }

  /** Consumes a text if it is here. */
  take(text: string): boolean {
    if (!this.startsWith(text)) return false;
    this.at += text.length;
    return true;
  }

  /** Consumes one character. */
  next(): string {
    const character = this.text.charAt(this.at);
    this.at += 1;
    return character;
  }

  /** Consumes the longest run of characters from here that a sticky pattern matches, and returns it. */
  match(sticky: RegExp): string | undefined {
    sticky.lastIndex = this.at;
    const found = sticky.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }
}
