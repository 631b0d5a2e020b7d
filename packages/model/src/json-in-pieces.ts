/** Number of values that are checked or written without a pause. */
const MAX_SMALL_VALUES = 200;
/** Number of characters that are written without a pause: about a tenth of a millisecond. */
const MIN_CHUNK_LENGTH = 16_384;

/**
 * Returns the text of `JSON.stringify(value)`, and yields at intervals, because the state of a run with thousands of
 * steps, or a response that contains it, can have many megabytes. The value must be JSON; a value with `toJSON()` is
 * written without a pause.
 */
export function* jsonInPieces(value: unknown): Generator<void, string> {
  if (isSmall(value)) return JSON.stringify(value);
  return (yield* writeChunks(value)).join('');
}

/**
 * Works like {@link jsonInPieces}, but returns the text in chunks, to be sent one by one.
 *
 * @param value not `undefined`
 */
export function* jsonChunksInPieces(value: unknown): Generator<void, readonly string[]> {
  return isSmall(value) ? [JSON.stringify(value)] : yield* writeChunks(value);
}

/** @param value a large value */
function* writeChunks(value: unknown): Generator<void, readonly string[]> {
  const writer = new Writer();
  yield* writer.write(value);
  return writer.end();
}

class Writer {
  private readonly chunks: string[] = [];
  private pieces: string[] = [];
  private lengthSincePause = 0;

  /** @param value a large value */
  *write(value: unknown): Generator<void, void> {
    if (Array.isArray(value)) yield* this.writeList(value);
    else yield* this.writeObject(value as object);
  }

  private *writeList(list: readonly unknown[]): Generator<void, void> {
    this.pieces.push('[');
    for (let start = 0; start < list.length; start += MAX_SMALL_VALUES / 2) {
      if (start > 0) this.pieces.push(',');
      const slice = list.slice(start, start + MAX_SMALL_VALUES / 2);
      if (isSmall(slice)) {
        if (this.add(JSON.stringify(slice).slice(1, -1))) yield;
        continue;
      }
      for (const [index, item] of slice.entries()) {
        if (index > 0) this.pieces.push(',');
        if (!isSmall(item)) yield* this.write(item);
        // Like JSON.stringify, writes `null` for list items that JSON does not support.
        else if (this.add((JSON.stringify(item) as string | undefined) ?? 'null')) yield;
      }
    }
    this.pieces.push(']');
  }

  private *writeObject(object: object): Generator<void, void> {
    let separator = '{';
    for (const [name, member] of Object.entries(object)) {
      const isLarge = !isSmall(member);
      const text = isLarge ? '' : (JSON.stringify(member) as string | undefined);
      if (text === undefined) continue;
      this.pieces.push(separator, JSON.stringify(name), ':');
      separator = ',';
      if (isLarge) yield* this.write(member);
      else if (this.add(text)) yield;
    }
    this.pieces.push(separator === '{' ? '{}' : '}');
  }

  /** @returns whether a pause is due */
  private add(text: string): boolean {
    this.pieces.push(text);
    this.lengthSincePause += text.length;
    if (this.lengthSincePause < MIN_CHUNK_LENGTH) return false;
    this.endChunk();
    return true;
  }

  end(): readonly string[] {
    this.endChunk();
    return this.chunks;
  }

  private endChunk(): void {
    this.chunks.push(this.pieces.join(''));
    this.pieces = [];
    this.lengthSincePause = 0;
  }
}

/**
 * Returns whether a value has only a few members. Stops counting early, so that a large value is not traversed again at
 * each level.
 */
function isSmall(value: unknown): boolean {
  return computeRemainingBudget(value, MAX_SMALL_VALUES) > 0;
}

/** Returns how many of `budget` values remain after a value and the values in it are counted. */
function computeRemainingBudget(value: unknown, budget: number): number {
  let rest = budget - 1;
  if (typeof value !== 'object' || value === null || ('toJSON' in value && typeof value.toJSON === 'function'))
    return rest;
  for (const member of Array.isArray(value) ? value : Object.values(value)) {
    if (rest <= 0) return 0;
    rest = computeRemainingBudget(member, rest);
  }
  return rest;
}
