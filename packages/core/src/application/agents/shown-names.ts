import { escapePointer, isJsonObject, type Json, sha256Hex } from '@countersign/model';

/** What APIs of models take as the name of a property. */
const TAKEN = /^[A-Za-z0-9_.-]{1,64}$/;
const MAX_PLAIN = 51;
const DIGITS = 12;

/** Names that are looked for in a message, at all of its places together. */
const MAX_TRIED = 200_000;

/** What may come behind a name in a message, by what is in front of it; nothing: the end. */
const NAME_ENDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['"', ['"']],
  ['/', ['/', ':', '']],
]);

/**
 * The names of properties as models are shown them: as they are where APIs take them (`filter[name]` is none that they take),
 * otherwise names that depend on nothing else. What a model gives by such a name is meant by the own one, wherever it is.
 */
export class ShownNames {
  /** Of the names that are not shown as they are. */
  readonly #shown = new Map<string, string>();
  readonly #own = new Map<string, string>();

  /** @returns the name that is shown */
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

  /** Whether all names are shown as they are. */
  get isEmpty(): boolean {
    return this.#shown.size === 0;
  }

  /** What a model has given, by the own names. Where it gives both of one, none is renamed: it does not fit then. */
  toOwn(given: Json): Json {
    return this.isEmpty ? given : renamed(given, this.#own);
  }

  /** What was given, as it is shown to a model. */
  toShown(given: Json): Json {
    return this.isEmpty ? given : renamed(given, this.#shown);
  }

  /** A message about arguments, by the names that are shown: own ones in quotes, and in JSON pointers. */
  toShownIn(message: string): string {
    if (this.isEmpty) return message;
    const names = new Map<string, string>();
    for (const [own, shown] of this.#shown) {
      // A pointer to a member without a name looks like one to the whole.
      if (own !== '') names.set(own, shown).set(escapePointer(own), shown);
    }
    // Of all that may begin at one place, the longest is meant.
    const lengths = [...new Set([...names.keys()].map(({ length }) => length))].sort((a, b) => b - a);
    // At each place, each of them is tried.
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
      // A slash also begins the next name.
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
