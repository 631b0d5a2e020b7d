import type { SigningKey } from '@countersign/contract';

/** How long a key counts as new, in ms. */
const NEW_FOR_MS = 7 * 86_400_000;

/** What somebody is told of one of their keys. */
export interface KeyNews {
  /** Of this piece of news: that a key was registered is another one than that it counts now. */
  readonly newsId: string;
  readonly keyId: string;
  readonly name: string;
  readonly at: string;
  readonly counts: boolean;
}

/**
 * The keys that were registered or enrolled lately, and not on this device: whoever did not do it themselves has to know.
 *
 * @param own id of the key of this device
 * @param now milliseconds since the epoch
 */
export function newsOfKeys(keys: readonly SigningKey[], own: string | undefined, now: number): readonly KeyNews[] {
  return keys
    .filter(({ keyId, revokedAt }) => keyId !== own && revokedAt === null)
    .map(({ keyId, name, createdAt, enrolment }) => ({
      newsId: `${keyId}:${enrolment === null ? 'registered' : 'counts'}`,
      keyId,
      name,
      at: enrolment?.at ?? createdAt,
      counts: enrolment !== null,
    }))
    .filter(({ at }) => now - Date.parse(at) < NEW_FOR_MS);
}

const STORE = 'countersign:key-news';
/** More than anybody has keys that are new. */
const MAX_SEEN = 200;

/** The news that were closed in this browser. */
export function seenNews(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(STORE) ?? '[]');
    return Array.isArray(kept) ? kept.filter((each): each is string => typeof each === 'string') : [];
  } catch {
    return [];
  }
}

export function keepSeen(newsId: string): void {
  localStorage.setItem(STORE, JSON.stringify([newsId, ...seenNews()].slice(0, MAX_SEEN)));
}
