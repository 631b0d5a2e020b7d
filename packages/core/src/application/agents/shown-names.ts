import { escapePointer, isJsonObject, type Json, sha256Hex } from '@countersign/model';

/** Matches property names that model APIs accept. */
const TAKEN = /^[A-Za-z0-9_.-]{1,64}$/;
const MAX_PLAIN = 51;
const DIGITS = 12;

/** Maximum number of comparisons when names in a message are replaced. */
const MAX_TRIED = 200_000;

/**
 * Characters that may follow a name in a message, by the character before it; an empty string is the end of the
 * message.
 */
const NAME_ENDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['"', ['"']],
  ['/', ['/', ':', '']],
]);

/**
 * Property names for language models: unchanged if the APIs accept them (`filter[name]` is not accepted), otherwise
 * replaced by names that depend only on the original. A replaced name in arguments is translated back wherever it
 * occurs.
 */
export class ShownNames {
  /** Replacement names by original name, and the reverse. */
  readonly #shown = new Map<string, string>();
  readonly #own = new Map<string, string>();

  /** @returns the name for the language model */
  add(own: string): string {
    if (TAKEN.test(own)) return own;
    const known = this.#shown.get(own);
    if (known !== undefined) return known;
    const plain = own.replaceAll(/[^A-Za-z0-9_.-]/g, '_').slice(0, MAX_PLAIN);
    const shown = `${plain}_${sha256Hex(own).slice(0, DIGITS)}`;
    this.#shown.set(own, shown);
    this.#own.set(shown, own);
    return shown;
  }

  /** Whether no name is replaced. */
  get isEmpty(): boolean {
    return this.#shown.size === 0;
  }

  /**
   * Translates arguments from a language model to the original names. If both forms of a name occur, neither is
   * renamed, and validation fails.
   */
  toOwn(given: Json): Json {
    return this.isEmpty ? given : renamed(given, this.#own);
  }

  /** Translates arguments to the names for the language model. */
  toShown(given: Json): Json {
    return this.isEmpty ? given : renamed(given, this.#shown);
  }

  /** Translates original names in a message about arguments: in quotes and in JSON Pointers. */
  toShownIn(message: string): string {
    if (this.isEmpty) return message;
    const names = new Map<string, string>();
    for (const [own, shown] of this.#shown) {
      // A pointer to a member with an empty name looks like a pointer to the whole.
      if (own !== '') names.set(own, shown).set(escapePointer(own), shown);
    }
    // The longest name that matches at an index wins.
    const lengths = [...new Set([...names.keys()].map(({ length }) => length))].sort((a, b) => b - a);
    // Every length is tried at each index.
    if (lengths.length * message.length > MAX_TRIED) return message;
    let said = '';
    let from = 0;
    for (let at = 0; at < message.length; at += 1) {
      const ends = NAME_ENDS.get(message.charAt(at));
      if (ends === undefined) continue;
      const length = lengths.find(
        (each) => ends.includes(message.charAt(at + 1 + each)) && names.has(message.slice(at + 1, at + 1 + each)),
      );
      if (length === undefined) continue;
      said += `${message.slice(from, at + 1)}${names.get(message.slice(at + 1, at + 1 + length)) ?? ''}`;
      from = at + 1 + length;
      // A slash also starts the next name.
      at = message[from] === '/' ? from - 1 : from;
    }
    return said + message.slice(from);
  }
}

function renamed(value: Json, names: ReadonlyMap<string, string>): Json {
  if (Array.isArray(value)) return value.map((item) => renamed(item, names));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      const other = names.get(name) ?? name;
      return [other !== name && Object.hasOwn(value, other) ? name : other, renamed(item, names)];
    }),
  );
}
