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
const CLOSING_CHARACTERS_BY_OPENING: ReadonlyMap<string, readonly string[]> = new Map([
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
  readonly #modelNameByOriginalName = new Map<string, string>();
  readonly #originalNameByModelName = new Map<string, string>();

  /** @returns the name for the language model */
  add(originalName: string): string {
    if (ACCEPTED_NAME.test(originalName)) return originalName;
    const existing = this.#modelNameByOriginalName.get(originalName);
    if (existing !== undefined) return existing;
    const prefix = originalName.replaceAll(/[^A-Za-z0-9_.-]/g, '_').slice(0, MAX_PREFIX_CHARACTERS);
    const modelName = `${prefix}_${sha256Hex(originalName).slice(0, HASH_DIGITS)}`;
    this.#modelNameByOriginalName.set(originalName, modelName);
    this.#originalNameByModelName.set(modelName, originalName);
    return modelName;
  }

  /** Whether no name is replaced. */
  get isEmpty(): boolean {
    return this.#modelNameByOriginalName.size === 0;
  }

  /**
   * Translates arguments from a language model to the original names. If both forms of a name occur, neither is
   * renamed, and validation fails.
   */
  toOriginalNames(value: Json): Json {
    return this.isEmpty ? value : renameKeys(value, this.#originalNameByModelName);
  }

  /** Translates arguments to the names for the language model. */
  toModelNames(value: Json): Json {
    return this.isEmpty ? value : renameKeys(value, this.#modelNameByOriginalName);
  }

  /** Translates original names in a message about arguments: in quotes and in JSON Pointers. */
  replaceNamesInText(message: string): string {
    if (this.isEmpty) return message;
    const names = new Map<string, string>();
    for (const [originalName, modelName] of this.#modelNameByOriginalName) {
      // A pointer to a member with an empty name looks like a pointer to the whole value.
      if (originalName !== '') names.set(originalName, modelName).set(escapePointer(originalName), modelName);
    }
    // The longest name that matches at an index wins.
    const lengths = [...new Set([...names.keys()].map(({ length }) => length))].sort((a, b) => b - a);
    // Every length is tried at each index.
    if (lengths.length * message.length > MAX_COMPARISONS) return message;
    let replaced = '';
    let from = 0;
    for (let position = 0; position < message.length; position += 1) {
      const closingCharacters = CLOSING_CHARACTERS_BY_OPENING.get(message.charAt(position));
      if (closingCharacters === undefined) continue;
      const length = lengths.find(
        (each) =>
          closingCharacters.includes(message.charAt(position + 1 + each)) &&
          names.has(message.slice(position + 1, position + 1 + each)),
      );
      if (length === undefined) continue;
      replaced += `${message.slice(from, position + 1)}${names.get(message.slice(position + 1, position + 1 + length)) ?? ''}`;
      from = position + 1 + length;
      // A slash also starts the next name.
      position = message[from] === '/' ? from - 1 : from;
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
