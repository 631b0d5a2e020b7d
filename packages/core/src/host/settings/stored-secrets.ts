import type { StoredSecret, StoredSetting, StoredSettings } from '../../ports/settings.js';
import { isIgnored } from '../configuration/apply-saved-settings.js';
import type { SavedSetting } from '../configuration/configuration-layers.js';
import { Secret } from '../secret.js';
import type { SecretCipher } from './secret-cipher.js';

export interface DecryptOptions {
  /** Settings to ignore. They are not even decrypted. */
  readonly ignored: ReadonlySet<string>;
  /**
   * Time for which the previous secret is accepted after a rotation, in ms. It can shorten, but not extend, the time
   * that applied at the rotation.
   */
  readonly graceMs: number;
}

/**
 * Decrypts saved settings for the configuration.
 *
 * @throws {StartupError} if a secret cannot be decrypted: no secret is skipped
 */
export function decryptSettings(
  { settings }: StoredSettings,
  cipher: SecretCipher,
  { ignored, graceMs }: DecryptOptions,
): Promise<SavedSetting[]> {
  const applicable = settings.filter(({ key }) => !isIgnored(ignored, key));
  return Promise.all(
    applicable.map(async ({ key, value, secret }): Promise<SavedSetting> => ({
      key,
      value: secret === null ? value : await decryptSecret(key, secret, cipher, graceMs),
    })),
  );
}

async function decryptSecret(
  key: string,
  { current, previous, rotatedAt }: StoredSecret,
  cipher: SecretCipher,
  graceMs: number,
): Promise<Secret> {
  const value = await cipher.decrypt(current, { key, slot: 'current' });
  if (previous === null) return new Secret(value);
  return new Secret(value, {
    value: await cipher.decrypt(previous.text, { key, slot: 'previous' }),
    validUntil: Math.min(previous.validUntil, rotatedAt + graceMs),
  });
}

/** Encrypts a secret, and its previous value if given, for storage. */
export async function encryptSecret(
  key: string,
  value: string,
  cipher: SecretCipher,
  { previous, now }: { previous: { value: string; validUntil: number } | undefined; now: number },
): Promise<StoredSecret> {
  return {
    current: await cipher.encrypt(value, { key, slot: 'current' }),
    previous:
      previous === undefined
        ? null
        : { text: await cipher.encrypt(previous.value, { key, slot: 'previous' }), validUntil: previous.validUntil },
    rotatedAt: now,
  };
}

/**
 * Returns new versions of secrets that need an update: those not encrypted with the current key, and those whose
 * previous value has expired.
 */
export async function reencryptStaleSecrets(
  { settings }: StoredSettings,
  cipher: SecretCipher,
  now: number,
  ignored: ReadonlySet<string>,
): Promise<Omit<StoredSetting, 'revision'>[]> {
  const refreshed: Omit<StoredSetting, 'revision'>[] = [];
  for (const { key, value, secret } of settings) {
    if (secret === null || isIgnored(ignored, key)) continue;
    const { current, previous, rotatedAt } = secret;
    const hasExpired = previous !== null && previous.validUntil <= now;
    const validPrevious = hasExpired ? null : previous;
    const usesOldKey =
      !(await cipher.isCurrent(current)) || (validPrevious !== null && !(await cipher.isCurrent(validPrevious.text)));
    if (!usesOldKey && !hasExpired) continue;
    const reencrypt = async (text: StoredSecret['current'], slot: 'current' | 'previous') =>
      cipher.encrypt(await cipher.decrypt(text, { key, slot }), { key, slot });
    refreshed.push({
      key,
      value,
      secret: {
        current: usesOldKey ? await reencrypt(current, 'current') : current,
        previous:
          validPrevious === null
            ? null
            : {
                text: usesOldKey ? await reencrypt(validPrevious.text, 'previous') : validPrevious.text,
                validUntil: validPrevious.validUntil,
              },
        rotatedAt,
      },
    });
  }
  return refreshed;
}
