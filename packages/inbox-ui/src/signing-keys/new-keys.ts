import type { SigningKey } from '@countersign/contract';

/** How long a key counts as new, in ms. */
const NEW_FOR_MS = 7 * 86_400_000;

/** Notification about one of the user's keys. */
export interface KeyNews {
  /** Id of this notification: the registration of a key and its enrolment are separate notifications. */
  readonly newsId: string;
  readonly keyId: string;
  readonly name: string;
  readonly at: string;
  readonly counts: boolean;
}

/**
 * Returns the keys that were recently registered or enrolled on another device: users must learn of keys that they did
 * not add themselves.
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
/** More than any user has new keys. */
const MAX_SEEN = 200;

/** Returns the notifications that were closed in this browser. */
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
