import { isJsonObject, type Json, type JsonObject } from './json.js';
import { foldCase } from './principal.js';

/** Replaces erased personal data. Cannot be a user name, because the server ignores it in tokens. */
export const ERASED = '[erased]';

/** The scope of an erasure in a run: all personal data and payloads, or only data that names one person. */
export interface PersonalDataScope {
  readonly kind: 'run' | 'person';
  /** Returns whether a private part, or a text, contains data to erase. */
  containsPersonalData(value: Json | undefined): boolean;
  /** Returns the id of a person, or {@link ERASED} if the erasure covers it. */
  eraseId(id: string): string;
  /** Returns free text without the data to erase. */
  eraseText(value: string): string;
  /** Returns a value without the data to erase. */
  eraseJson<T extends Json>(value: T): T;
}

/** All personal data and payloads of a run. */
export const WHOLE_RUN: PersonalDataScope = Object.freeze({
  kind: 'run' as const,
  containsPersonalData: (value: Json | undefined) => value !== null && value !== undefined,
  eraseId: () => ERASED,
  eraseText: () => ERASED,
  eraseJson: <T extends Json>(value: T): T => toEmptyValue(value) as T,
});

function toEmptyValue(value: Json): Json {
  if (Array.isArray(value)) return [];
  if (isJsonObject(value)) return {};
  return typeof value === 'string' ? ERASED : null;
}

function escapeRegExp(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function toCaseInsensitivePattern(pattern: string): string {
  return pattern.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

/** Data that names one person, by id or by one of their names: as a whole value, or as words of a text or of a key. */
export class PersonScope implements PersonalDataScope {
  readonly kind = 'person';
  readonly #names: ReadonlySet<string>;
  readonly #foldedUserNames: ReadonlySet<string>;
  readonly #namePattern: RegExp;

  /**
   * Empty names are ignored, because they would match every text.
   *
   * @param names the id first
   * @param userNames names whose case is ignored
   */
  constructor(names: readonly string[], userNames: readonly string[] = []) {
    this.#foldedUserNames = new Set(userNames.filter((name) => name !== '').map(foldCase));
    this.#names = new Set(names.filter((name) => name !== ''));
    if (this.#names.size === 0) throw new Error('A person needs at least one name.');
    // Longest first, so that "Ada Lovelace" is replaced as a whole if "Ada" is a name as well.
    const exact = [...this.#names].map((name) => [name, escapeRegExp(name)] as const);
    const folded = [...this.#foldedUserNames].map(
      (name) => [name, toCaseInsensitivePattern(escapeRegExp(name))] as const,
    );
    const words = [...exact, ...folded].sort(([a], [b]) => b.length - a.length).map(([, pattern]) => pattern);
    this.#namePattern = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words.join('|')})(?![\\p{L}\\p{N}_])`, 'gu');
  }

  containsPersonalData(value: Json | undefined): boolean {
    if (typeof value === 'string') return value.search(this.#namePattern) !== -1;
    if (Array.isArray(value)) return value.some((each) => this.containsPersonalData(each));
    return (
      isJsonObject(value) &&
      Object.entries(value).some(([key, each]) => this.containsPersonalData(key) || this.containsPersonalData(each))
    );
  }

  eraseId(id: string): string {
    return this.#names.has(id) || this.#foldedUserNames.has(foldCase(id)) ? ERASED : id;
  }

  eraseText(value: string): string {
    return value.replace(this.#namePattern, ERASED);
  }

  eraseJson<T extends Json>(value: T): T {
    return this.#eraseIn(value) as T;
  }

  #eraseIn(value: Json): Json {
    if (typeof value === 'string') return this.eraseText(value);
    if (Array.isArray(value)) return value.map((each) => this.#eraseIn(each));
    if (!isJsonObject(value)) return value;
    const result: JsonObject = {};
    for (const [key, each] of Object.entries(value)) result[this.eraseText(key)] = this.#eraseIn(each);
    return result;
  }
}
