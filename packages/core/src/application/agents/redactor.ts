import { inject, injectable } from 'inversify';
import { inspect } from 'node:util';
import { atOnce, inTurns, type Json } from '@countersign/model';
import { KnownSecrets } from '../../ports/known-secrets.js';
import type { StringMatch } from './multi-string-search.js';
import { SecretFinder, type Leaf } from './secret-finder.js';

const IN_ITS_PLACE = '[secret]';
const MAX_DEPTH = 200;

/**
 * Removes the known secrets of this server from requests to language models and from the output of models and
 * tools. This is a safety net in addition to the rule that tools receive no secrets: it removes only what
 * {@link SecretFinder} finds.
 */
@injectable()
export class Redactor {
  private finder: SecretFinder | undefined;
  private made: readonly string[] | undefined;

  constructor(@inject(KnownSecrets) private readonly secrets: KnownSecrets) {}

  text(text: string): string {
    return atOnce(this.textInPieces(text));
  }

  /** Same as {@link text}, but does not block the event loop for long texts. */
  async textInTurns(text: string): Promise<string> {
    return inTurns(this.textInPieces(text));
  }

  /** Redacts a JSON value, member names included. Returns the same value if it contains no secret. */
  json<T extends Json | object>(value: T): T {
    return atOnce(this.jsonInPieces(value));
  }

  /** Same as {@link json}, but does not block the event loop for large values. The value must not change until then. */
  async jsonInTurns<T extends Json | object>(value: T): Promise<T> {
    return inTurns(this.jsonInPieces(value));
  }

  private *textInPieces(text: string): Generator<void, string> {
    const finder = this.finderNow();
    if (finder === undefined) return text;
    const [found] = yield* finder.findInPieces([{ text, key: undefined, kind: 'text' }]);
    return without(text, found);
  }

  private *jsonInPieces<T extends Json | object>(value: T): Generator<void, T> {
    const finder = this.finderNow();
    if (finder === undefined) return value;
    const leaves: Leaf[] = [];
    const same = withTexts(value, (leaf) => {
      leaves.push(leaf);
      return leaf.text;
    });
    const found = yield* finder.findInPieces(leaves);
    if (found.every((places) => places === undefined)) return same as T;
    let next = 0;
    return withTexts(value, ({ text }) => without(text, found[next++])) as T;
  }

  /** Returns the cause of an error for the log, or nothing if the cause contains a secret. */
  cause(error: unknown): ErrorOptions {
    const description = inspect(error, { depth: 4 });
    return this.text(description) === description ? { cause: error } : {};
  }

  private finderNow(): SecretFinder | undefined {
    const { current } = this.secrets;
    if (current !== this.made) {
      this.finder = current.length === 0 ? undefined : new SecretFinder(current);
      this.made = current;
    }
    return this.finder;
  }
}

function without(text: string, found: readonly StringMatch[] | undefined): string {
  if (found === undefined) return text;
  let clean = '';
  let from = 0;
  for (const { start, end } of found) {
    clean += text.slice(from, start) + IN_ITS_PLACE;
    from = end;
  }
  return clean + text.slice(from);
}

/** Replaces the strings and numbers of a value in document order. Returns the same value if nothing changes. */
function withTexts(value: unknown, change: (leaf: Leaf) => string, key?: string, depth = 0): unknown {
  if (typeof value === 'string') return change({ text: value, key, kind: 'text' });
  if (typeof value === 'number') {
    const text = String(value);
    const changed = change({ text, key, kind: 'number' });
    return changed === text ? value : changed;
  }
  if (typeof value !== 'object' || value === null) return value;
  // Values nested deeper cannot be stored (`findJsonProblem`), and data that was not searched must not pass.
  if (depth > MAX_DEPTH) return IN_ITS_PLACE;
  if (Array.isArray(value)) {
    const items = value.map((item) => withTexts(item, change, key, depth + 1));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const members = Object.entries(value).map(([name, item]): [string, unknown] => [
    change({ text: name, key: undefined, kind: 'key' }),
    withTexts(item, change, name, depth + 1),
  ]);
  const object = value as Record<string, unknown>;
  return members.every(([name, item]) => Object.hasOwn(object, name) && object[name] === item)
    ? value
    : Object.fromEntries(members);
}
