import { inject, injectable } from 'inversify';
import { inspect } from 'node:util';
import { runToCompletion, runTimeSliced, type Json } from '@countersign/model';
import { KnownSecrets } from '../../ports/known-secrets.js';
import type { StringMatch } from './multi-string-search.js';
import { SecretFinder, type TextLeaf } from './secret-finder.js';

const REPLACEMENT = '[secret]';
const MAX_DEPTH = 200;

/**
 * Removes the known secrets of this server from requests to language models and from the output of language models and
 * tools. This is a safety net in addition to the rule that tools receive no secrets: it removes only what
 * {@link SecretFinder} finds.
 */
@injectable()
export class Redactor {
  private finder: SecretFinder | undefined;
  private finderSecrets: readonly string[] | undefined;

  constructor(@inject(KnownSecrets) private readonly secrets: KnownSecrets) {}

  redactText(text: string): string {
    return runToCompletion(this.redactTextInPieces(text));
  }

  /** Same as {@link redactText}, but does not block the event loop for long texts. */
  async redactTextTimeSliced(text: string): Promise<string> {
    return runTimeSliced(this.redactTextInPieces(text));
  }

  /** Redacts a JSON value, including member names. Returns the same value if it contains no secret. */
  redactJson<T extends Json | object>(value: T): T {
    return runToCompletion(this.redactJsonInPieces(value));
  }

  /**
   * Same as {@link redactJson}, but does not block the event loop for large values. The value must not change until the
   * promise settles.
   */
  async redactJsonTimeSliced<T extends Json | object>(value: T): Promise<T> {
    return runTimeSliced(this.redactJsonInPieces(value));
  }

  private *redactTextInPieces(text: string): Generator<void, string> {
    const finder = this.currentFinder();
    if (finder === undefined) return text;
    const [matches] = yield* finder.findInPieces([{ text, key: undefined, kind: 'text' }]);
    return replaceMatches(text, matches);
  }

  private *redactJsonInPieces<T extends Json | object>(value: T): Generator<void, T> {
    const finder = this.currentFinder();
    if (finder === undefined) return value;
    const leaves: TextLeaf[] = [];
    const unchanged = mapLeaves(value, (leaf) => {
      leaves.push(leaf);
      return leaf.text;
    });
    const matchesByLeaf = yield* finder.findInPieces(leaves);
    if (matchesByLeaf.every((matches) => matches === undefined)) return unchanged as T;
    let nextLeafIndex = 0;
    return mapLeaves(value, ({ text }) => replaceMatches(text, matchesByLeaf[nextLeafIndex++])) as T;
  }

  /** Returns the options to use an error as the cause of another error, or no options if it contains a secret. */
  causeUnlessSecret(error: unknown): ErrorOptions {
    const description = inspect(error, { depth: 4 });
    return this.redactText(description) === description ? { cause: error } : {};
  }

  private currentFinder(): SecretFinder | undefined {
    const { current } = this.secrets;
    if (current !== this.finderSecrets) {
      this.finder = current.length === 0 ? undefined : new SecretFinder(current);
      this.finderSecrets = current;
    }
    return this.finder;
  }
}

function replaceMatches(text: string, matches: readonly StringMatch[] | undefined): string {
  if (matches === undefined) return text;
  let redacted = '';
  let nextStart = 0;
  for (const { start, end } of matches) {
    redacted += text.slice(nextStart, start) + REPLACEMENT;
    nextStart = end;
  }
  return redacted + text.slice(nextStart);
}

/**
 * Replaces the strings, numbers and member names of a value in document order. Returns the same value if nothing
 * changes.
 */
function mapLeaves(value: unknown, change: (leaf: TextLeaf) => string, key?: string, depth = 0): unknown {
  if (typeof value === 'string') return change({ text: value, key, kind: 'text' });
  if (typeof value === 'number') {
    const text = String(value);
    const changed = change({ text, key, kind: 'number' });
    return changed === text ? value : changed;
  }
  if (typeof value !== 'object' || value === null) return value;
  // Values nested deeper cannot be stored (`findJsonProblem`), and data that was not searched must not remain in the
  // result.
  if (depth > MAX_DEPTH) return REPLACEMENT;
  if (Array.isArray(value)) {
    const items = value.map((item) => mapLeaves(item, change, key, depth + 1));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const members = Object.entries(value).map(([name, item]): [string, unknown] => [
    change({ text: name, key: undefined, kind: 'key' }),
    mapLeaves(item, change, name, depth + 1),
  ]);
  const object = value as Record<string, unknown>;
  return members.every(([name, item]) => Object.hasOwn(object, name) && object[name] === item)
    ? value
    : Object.fromEntries(members);
}
