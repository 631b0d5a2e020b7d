import { meSchema, type Me } from '@countersign/contract';
import canonicalize from 'canonicalize';
import { z } from 'zod';
import type { AllowedOperation } from '../../common/operations.js';
import type { Keychain } from '../session/token-vault.js';
import { EncryptedFile } from './encrypted-file.js';

const MAX_ANSWERS = 500;
/** In characters of JSON, for all responses together. */
const MAX_CHARACTERS = 20_000_000;
const WRITE_AFTER_MS = 1_000;

const cacheSchema = z.object({
  me: meSchema,
  /** In ms since the epoch. */
  asOf: z.number(),
  /** JSON by request, least recently stored first. */
  answers: z.array(z.tuple([z.string(), z.string()])),
});

/**
 * One user's latest responses from one server, to read while it does not respond. No vote may be based on it: cached
 * approvals are never recorded as displayed.
 */
export class OfflineCache {
  private readonly file: EncryptedFile<typeof cacheSchema>;
  private readonly answers: Map<string, string>;
  private characters = 0;
  private owner: Me | undefined;
  private updatedAt: number;
  private writing: ReturnType<typeof setTimeout> | undefined;

  constructor(
    path: string,
    keychain: Keychain,
    private readonly now: () => number = Date.now,
  ) {
    this.file = new EncryptedFile(path, cacheSchema, keychain);
    const kept = this.file.read();
    this.owner = kept?.me;
    this.updatedAt = kept?.asOf ?? 0;
    this.answers = new Map(kept?.answers);
    for (const [key, json] of this.answers) this.characters += key.length + json.length;
  }

  /** User and time of the data (ms since the epoch); `undefined`: nothing is stored. */
  get known(): { readonly me: Me; readonly asOf: number } | undefined {
    return this.owner === undefined ? undefined : { me: this.owner, asOf: this.updatedAt };
  }

  /** Assigns the cache to the signed-in user and deletes the data of any other user. */
  belongsTo(me: Me): void {
    if (this.owner?.subject !== me.subject) this.forget();
    this.owner = me;
    this.changed();
  }

  put(operation: AllowedOperation, input: unknown, value: unknown): void {
    if (this.owner === undefined) return;
    const key = keyOf(operation, input);
    this.drop(key);
    const json = JSON.stringify(value);
    this.answers.set(key, json);
    this.characters += key.length + json.length;
    for (const oldest of this.answers.keys()) {
      if (this.answers.size <= MAX_ANSWERS && this.characters <= MAX_CHARACTERS) break;
      this.drop(oldest);
    }
    this.changed();
  }

  /** Returns the latest response; `undefined` if none is stored. */
  get(operation: AllowedOperation, input: unknown): unknown {
    const json = this.answers.get(keyOf(operation, input));
    return json === undefined ? undefined : JSON.parse(json);
  }

  /** Deletes everything, on sign-out. */
  forget(): void {
    clearTimeout(this.writing);
    this.writing = undefined;
    this.owner = undefined;
    this.answers.clear();
    this.characters = 0;
    this.file.remove();
  }

  /** Writes pending changes. */
  flush(): void {
    if (this.writing === undefined) return;
    clearTimeout(this.writing);
    this.writing = undefined;
    if (this.owner !== undefined) this.file.write({ me: this.owner, asOf: this.updatedAt, answers: [...this.answers] });
  }

  private drop(key: string): void {
    const json = this.answers.get(key);
    if (json === undefined) return;
    this.characters -= key.length + json.length;
    this.answers.delete(key);
  }

  private changed(): void {
    this.updatedAt = this.now();
    this.writing ??= setTimeout(() => this.flush(), WRITE_AFTER_MS);
  }
}

function keyOf(operation: AllowedOperation, input: unknown): string {
  return `${operation} ${canonicalize(input) ?? ''}`;
}
