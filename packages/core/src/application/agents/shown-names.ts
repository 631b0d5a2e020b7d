import { isJsonObject, type Json, sha256Hex } from '@countersign/model';

/** What APIs of models take as the name of a property. */
const TAKEN = /^[A-Za-z0-9_.-]{1,64}$/;
const MAX_PLAIN = 51;
const DIGITS = 12;

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
