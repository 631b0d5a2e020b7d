import { hash } from 'node:crypto';
import type { Principal } from './principal.js';

/**
 * Time for which a verified token is not verified again. The revocation of an issuer's key takes effect within this
 * time.
 */
const MAX_AGE_MS = 5 * 60_000;

interface Entry {
  readonly principal: Principal;
  readonly validUntil: number;
}

/**
 * Cache of verified tokens by their hash: verification is expensive, and each request carries a token. The cache is
 * bounded and evicts the least recently used entry. It contains only valid tokens, so forged ones cannot fill it.
 */
export class TokenCache {
  private readonly entries = new Map<string, Entry>();

  constructor(private readonly capacity = 10_000) {}

  static getCacheKey(token: string): string {
    return hash('sha256', token, 'base64');
  }

  get(key: string, now: number): Principal | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    this.entries.delete(key);
    if (entry.validUntil <= now) return undefined;
    this.entries.set(key, entry);
    return entry.principal;
  }

  set(key: string, principal: Principal, now: number): void {
    const validUntil = Math.min(principal.expiresAt ?? Number.POSITIVE_INFINITY, now + MAX_AGE_MS);
    if (validUntil <= now) return;
    this.entries.delete(key);
    if (this.entries.size >= this.capacity) {
      const oldest = this.entries.keys().next();
      if (oldest.done !== true) this.entries.delete(oldest.value);
    }
    this.entries.set(key, { principal, validUntil });
  }
}
