import type { SigningKey } from '@countersign/contract';

/** Maximum age of a key that counts as new, in ms. */
const MAX_NOTIFICATION_AGE_MS = 7 * 86_400_000;

/** Notification about one of the user's keys. */
export interface KeyNotification {
  /** Id of this notification: the registration of a key and its enrolment are separate notifications. */
  readonly notificationId: string;
  readonly keyId: string;
  readonly name: string;
  readonly at: string;
  readonly isEnrolled: boolean;
}

/**
 * Returns notifications about keys that were recently registered or enrolled on another device, so that users notice
 * keys that they did not add themselves.
 *
 * @param ownKeyId id of the key of this device
 * @param now milliseconds since the epoch
 */
export function findKeyNotifications(
  keys: readonly SigningKey[],
  ownKeyId: string | undefined,
  now: number,
): readonly KeyNotification[] {
  return keys
    .filter(({ keyId, revokedAt }) => keyId !== ownKeyId && revokedAt === null)
    .map(({ keyId, name, createdAt, enrolment }) => ({
      notificationId: `${keyId}:${enrolment === null ? 'registered' : 'counts'}`,
      keyId,
      name,
      at: enrolment?.at ?? createdAt,
      isEnrolled: enrolment !== null,
    }))
    .filter(({ at }) => now - Date.parse(at) < MAX_NOTIFICATION_AGE_MS);
}

const STORAGE_KEY = 'countersign:key-news';
/** Maximum number of stored notification ids; no user has as many new keys. */
const MAX_DISMISSED_IDS = 200;

/** Returns the ids of the notifications that the user has closed in this browser. */
export function loadDismissedIds(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((each): each is string => typeof each === 'string') : [];
  } catch {
    return [];
  }
}

export function storeDismissedId(notificationId: string): void {
  localStorage.setItem(
    STORAGE_KEY,
    JSON.stringify([notificationId, ...loadDismissedIds()].slice(0, MAX_DISMISSED_IDS)),
  );
}
