import { inject, injectable } from 'inversify';
import { inspect } from 'node:util';
import { atOnce, inTurns, type Json } from '@countersign/model';
import { KnownSecrets } from '../../ports/known-secrets.js';
import type { StringMatch } from './multi-string-search.js';
import { SecretFinder, type Leaf } from './secret-finder.js';

const IN_ITS_PLACE = '[secret]';
const MAX_DEPTH = 200;

/**
 * Takes the secrets that this server knows out of what goes to a model and of what models and tools give. A net behind the
 * rule that no tool is given a secret: it finds what {@link SecretFinder} finds, and nothing that is disguised otherwise.
 */
@injectable()
export class Redactor {
  private finder: SecretFinder | undefined;
  private made: readonly string[] | undefined;

  constructor(@inject(KnownSecrets) private readonly secrets: KnownSecrets) {}

  text(text: string): string {
    return atOnce(this.textInPieces(text));
  }

  /** As {@link text}; a long text holds up nobody who shares the event loop. */
  async textInTurns(text: string): Promise<string> {
    return inTurns(this.textInPieces(text));
  }

  /** A value of JSON, names of members included. The same value where nothing is in it. */
  json<T extends Json | object>(value: T): T {
    return atOnce(this.jsonInPieces(value));
  }

  /** As {@link json}; a large value, which must stay as it is until then, holds up nobody who shares the event loop. */
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

  /** What led to an error, for the log; nothing where it tells a secret. */
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

/** A value with other texts in the place of those in it, in the order in which it is written. The same value where they are the same. */
function withTexts(value: unknown, change: (leaf: Leaf) => string, key?: string, depth = 0): unknown {
  if (typeof value === 'string') return change({ text: value, key, kind: 'text' });
  if (typeof value === 'number') {
    const text = String(value);
    const changed = change({ text, key, kind: 'number' });
    return changed === text ? value : changed;
  }
  if (typeof value !== 'object' || value === null) return value;
  // Nothing that nests so deep can be kept (`findJsonProblem`), and what is not looked through goes nowhere.
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
