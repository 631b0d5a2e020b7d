/** A replacement of part of a text. */
interface Patch {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text of an XML file with its line starts and replacements. */
export class XmlText {
  readonly text: string;
  readonly #patches: Patch[] = [];
  #lineStarts: readonly number[] | undefined;

  constructor(text: string) {
    // XML 1.0, 2.11: line ends are normalized before parsing.
    this.text = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  }

  /** Returns the line of an offset, from 1. */
  getLine(offset: number): number {
    const starts = (this.#lineStarts ??= findLineStarts(this.text));
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Returns the line and column of an offset, both from 1. */
  getPosition(offset: number): { readonly line: number; readonly column: number } {
    const line = this.getLine(offset);
    return { line, column: offset - (this.#lineStarts?.[line - 1] ?? 0) + 1 };
  }

  addPatch(start: number, end: number, text: string): void {
    this.#patches.push({ start, end, text });
  }

  /** Returns the text with the replacements. Line numbers do not change, unless a line end was replaced. */
  toPatchedText(): string {
    const parts: string[] = [];
    let from = 0;
    for (const { start, end, text } of this.#patches.toSorted((left, right) => left.start - right.start)) {
      parts.push(this.text.slice(from, start), text);
      from = end;
    }
    parts.push(this.text.slice(from));
    return parts.join('');
  }
}

function findLineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let newlineIndex = text.indexOf('\n'); newlineIndex !== -1; newlineIndex = text.indexOf('\n', newlineIndex + 1))
    starts.push(newlineIndex + 1);
  return starts;
}
