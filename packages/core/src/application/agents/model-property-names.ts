import { escapePointer, isJsonObject, type Json, sha256Hex } from '@countersign/model';

/** Matches property names that model APIs accept. */
const ACCEPTED_NAME = /^[A-Za-z0-9_.-]{1,64}$/;
const MAX_PREFIX_CHARACTERS = 51;
const HASH_DIGITS = 12;

/** Maximum number of comparisons when names in a message are replaced. */
const MAX_COMPARISONS = 200_000;

/**
 * Characters that may follow a name in a message, by the character before it; an empty string is the end of the
 * message.
 */
const CLOSING_BY_OPENING: ReadonlyMap<string, readonly string[]> = new Map([
  ['"', ['"']],
  ['/', ['/', ':', '']],
]);

/**
 * Property names for language models: unchanged if the APIs accept them (`filter[name]` is not accepted), otherwise
 * replaced by names that depend only on the original. A replaced name in arguments is translated back wherever it
 * occurs.
 */
export class ModelPropertyNames {
  /** Replacement names by original name, and the reverse. */
  readonly #modelNameByOwn = new Map<string, string>();
  readonly #ownNameByModel = new Map<string, string>();

  /** @returns the name for the language model */
  add(ownName: string): string {
    if (ACCEPTED_NAME.test(ownName)) return ownName;
    const existing = this.#modelNameByOwn.get(ownName);
    if (existing !== undefined) return existing;
    const prefix = ownName.replaceAll(/[^A-Za-z0-9_.-]/g, '_').slice(0, MAX_PREFIX_CHARACTERS);
    const modelName = `${prefix}_${sha256Hex(ownName).slice(0, HASH_DIGITS)}`;
    this.#modelNameByOwn.set(ownName, modelName);
    this.#ownNameByModel.set(modelName, ownName);
    return modelName;
  }

  /** Whether no name is replaced. */
  get isEmpty(): boolean {
    return this.#modelNameByOwn.size === 0;
  }

  /**
   * Translates arguments from a language model to the original names. If both forms of a name occur, neither is
   * renamed, and validation fails.
   */
  toOwnNames(value: Json): Json {
    return this.isEmpty ? value : renameKeys(value, this.#ownNameByModel);
  }

  /** Translates arguments to the names for the language model. */
  toModelNames(value: Json): Json {
    return this.isEmpty ? value : renameKeys(value, this.#modelNameByOwn);
  }

  /** Translates original names in a message about arguments: in quotes and in JSON Pointers. */
  replaceNamesInText(message: string): string {
    if (this.isEmpty) return message;
    const names = new Map<string, string>();
    for (const [own, shown] of this.#modelNameByOwn) {
      // A pointer to a member with an empty name looks like a pointer to the whole.
      if (own !== '') names.set(own, shown).set(escapePointer(own), shown);
    }
    // The longest name that matches at an index wins.
    const lengths = [...new Set([...names.keys()].map(({ length }) => length))].sort((a, b) => b - a);
    // Every length is tried at each index.
    if (lengths.length * message.length > MAX_COMPARISONS) return message;
    let replaced = '';
    let from = 0;
    for (let at = 0; at < message.length; at += 1) {
      const closings = CLOSING_BY_OPENING.get(message.charAt(at));
      if (closings === undefined) continue;
      const length = lengths.find(
        (each) => closings.includes(message.charAt(at + 1 + each)) && names.has(message.slice(at + 1, at + 1 + each)),
      );
      if (length === undefined) continue;
      replaced += `${message.slice(from, at + 1)}${names.get(message.slice(at + 1, at + 1 + length)) ?? ''}`;
      from = at + 1 + length;
      // A slash also starts the next name.
      at = message[from] === '/' ? from - 1 : from;
    }
    return replaced + message.slice(from);
  }
}

function renameKeys(value: Json, names: ReadonlyMap<string, string>): Json {
  if (Array.isArray(value)) return value.map((item) => renameKeys(item, names));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      const newName = names.get(name) ?? name;
      return [newName !== name && Object.hasOwn(value, newName) ? name : newName, renameKeys(item, names)];
    }),
  );
}
