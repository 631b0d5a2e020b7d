import { inject, injectable, type ServiceIdentifier } from 'inversify';
import { inspect } from 'node:util';
import type { Json } from '../../domain/json.js';
import { TextFinder } from './find-texts.js';
import { secretForms } from './secret-forms.js';

/** Every secret that this server knows, as of now. */
export interface KnownSecrets {
  /** Another list each time that one of them has changed, and the same one else. */
  readonly current: readonly string[];
}

export const KnownSecrets: ServiceIdentifier<KnownSecrets> = Symbol.for('@countersign/core:KnownSecrets');

const IN_ITS_PLACE = '[secret]';
const MAX_DEPTH = 200;

/**
 * Takes the secrets that this server knows out of what goes to a model and of what models and tools give. A net behind the
 * rule that no tool is given a secret: it finds the usual encodings, and no others.
 */
@injectable()
export class Redactor {
  private finder: TextFinder | undefined;
  private made: readonly string[] | undefined;

  constructor(@inject(KnownSecrets) private readonly secrets: KnownSecrets) {}

  text(text: string): string {
    const found = this.finderNow()?.find(text) ?? [];
    if (found.length === 0) return text;
    let clean = '';
    let from = 0;
    for (const { start, end } of found) {
      clean += text.slice(from, start) + IN_ITS_PLACE;
      from = end;
    }
    return clean + text.slice(from);
  }

  /** A value of JSON, names of members included. The same value where nothing is in it. */
  json<T extends Json | object>(value: T): T {
    return this.finderNow() === undefined ? value : (this.clean(value, 0) as T);
  }

  /** What led to an error, for the log; nothing where it tells a secret. */
  cause(error: unknown): ErrorOptions {
    const told = inspect(error, { depth: 4 });
    return this.text(told) === told ? { cause: error } : {};
  }

  private clean(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.text(value);
    if (typeof value !== 'object' || value === null) return value;
    // Nothing that nests so deep can be kept (`findJsonProblem`), and what is not looked through goes nowhere.
    if (depth > MAX_DEPTH) return IN_ITS_PLACE;
    if (Array.isArray(value)) {
      const items = value.map((item) => this.clean(item, depth + 1));
      return items.some((item, index) => item !== value[index]) ? items : value;
    }
    const members = Object.entries(value).map(([key, item]): [string, unknown] => [
      this.text(key),
      this.clean(item, depth + 1),
    ]);
    const object = value as Record<string, unknown>;
    return members.every(([key, item]) => Object.hasOwn(object, key) && object[key] === item)
      ? value
      : Object.fromEntries(members);
  }

  private finderNow(): TextFinder | undefined {
    const { current } = this.secrets;
    if (current !== this.made) {
      const forms = new Set(current.flatMap((secret) => [...secretForms(secret)]));
      this.finder = forms.size === 0 ? undefined : new TextFinder(forms);
      this.made = current;
    }
    return this.finder;
  }
}
