import { meSchema, type Me } from '@countersign/contract';
import canonicalize from 'canonicalize';
import { z } from 'zod';
import type { AllowedOperation } from '../../common/operations.js';
import type { Keychain } from '../session/token-vault.js';
import { EncryptedFile } from './encrypted-file.js';

const MAX_RESPONSES = 500;
/** Maximum total size of all responses and their request keys, in characters. */
const MAX_CHARACTERS = 20_000_000;
const WRITE_DELAY_MS = 1_000;

const cacheSchema = z.object({
  // An older server does not describe its engine.
  me: meSchema.extend({ engine: meSchema.shape.engine.default({ name: 'embedded', unsupported: [] }) }),
  /** In ms since the epoch. */
  asOf: z.number(),
  /** JSON by request, least recently stored first. */
  answers: z.array(z.tuple([z.string(), z.string()])),
});

/**
 * One user's latest responses from one server, which can be read while the server does not respond. No vote may be
 * based on them, so cached approvals are never recorded as displayed.
 */
export class OfflineCache {
  private readonly file: EncryptedFile<typeof cacheSchema>;
  private readonly responses: Map<string, string>;
  private totalCharacters = 0;
  private owner: Me | undefined;
  private updatedAt: number;
  private writeTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    path: string,
    keychain: Keychain,
    private readonly now: () => number = Date.now,
  ) {
    this.file = new EncryptedFile(path, cacheSchema, keychain);
    const stored = this.file.read();
    this.owner = stored?.me;
    this.updatedAt = stored?.asOf ?? 0;
    this.responses = new Map(stored?.answers);
    for (const [key, json] of this.responses) this.totalCharacters += key.length + json.length;
  }

  /** User and time of the data (ms since the epoch); `undefined`: nothing is stored. */
  get contentInfo(): { readonly me: Me; readonly asOf: number } | undefined {
    return this.owner === undefined ? undefined : { me: this.owner, asOf: this.updatedAt };
  }

  /** Assigns the cache to the signed-in user and deletes the data of any other user. */
  assignTo(me: Me): void {
    if (this.owner?.subject !== me.subject) this.clear();
    this.owner = me;
    this.scheduleWrite();
  }

  put(operation: AllowedOperation, input: unknown, value: unknown): void {
    if (this.owner === undefined) return;
    const key = requestKey(operation, input);
    this.drop(key);
    const json = JSON.stringify(value);
    this.responses.set(key, json);
    this.totalCharacters += key.length + json.length;
    for (const oldest of this.responses.keys()) {
      if (this.responses.size <= MAX_RESPONSES && this.totalCharacters <= MAX_CHARACTERS) break;
      this.drop(oldest);
    }
    this.scheduleWrite();
  }

  /** Returns the latest response; `undefined` if none is stored. */
  get(operation: AllowedOperation, input: unknown): unknown {
    const json = this.responses.get(requestKey(operation, input));
    return json === undefined ? undefined : JSON.parse(json);
  }

  /** Deletes all responses. Called on sign-out, when another user signs in, and when the server is removed. */
  clear(): void {
    clearTimeout(this.writeTimer);
    this.writeTimer = undefined;
    this.owner = undefined;
    this.responses.clear();
    this.totalCharacters = 0;
    this.file.remove();
  }

  /** Writes pending changes. */
  flush(): void {
    if (this.writeTimer === undefined) return;
    clearTimeout(this.writeTimer);
    this.writeTimer = undefined;
    if (this.owner !== undefined)
      this.file.write({ me: this.owner, asOf: this.updatedAt, answers: [...this.responses] });
  }

  private drop(key: string): void {
    const json = this.responses.get(key);
    if (json === undefined) return;
    this.totalCharacters -= key.length + json.length;
    this.responses.delete(key);
  }

  private scheduleWrite(): void {
    this.updatedAt = this.now();
    this.writeTimer ??= setTimeout(() => this.flush(), WRITE_DELAY_MS);
  }
}

function requestKey(operation: AllowedOperation, input: unknown): string {
  return `${operation} ${canonicalize(input) ?? ''}`;
}
