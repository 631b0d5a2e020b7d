import type { Caller } from '../../application/caller.js';
import { toRecordedActor } from '@countersign/model';
import type { ClockPort } from '../../ports/clock.js';
import type { AuditEntry } from '../../ports/records.js';
import type { SettingsChange } from '../../ports/settings.js';
import type { CoreConfiguration } from '../configuration/core-configuration.js';
import type { SecretCipher } from './secret-cipher.js';
import type { SettingsPlan } from './plan-settings-change.js';
import { encryptSecret } from './stored-secrets.js';

/**
 * Converts a planned change for the storage: encrypts secrets and adds an audit entry, without the value, for each
 * setting.
 */
export async function buildSettingsChange(
  { resolved, values, secrets, removed }: SettingsPlan,
  expectedRevision: number,
  { actor, from }: Pick<Caller, 'actor' | 'from'>,
  { cipher, clock }: { readonly cipher: SecretCipher; readonly clock: ClockPort },
): Promise<SettingsChange> {
  const now = clock.now();
  const graceMs = (resolved.parsed.get('core') as CoreConfiguration).Settings.RotationGrace;
  const buildAuditEntry = (key: string, action: string, data: AuditEntry['data'] = {}): AuditEntry => ({
    at: now,
    actor: toRecordedActor(actor),
    action,
    target: { type: 'setting', id: key },
    result: 'ok',
    from,
    data,
  });
  const rotations = await Promise.all(
    [...secrets].map(async ([key, { value, previousValue }]) => {
      const previous =
        previousValue === '' || previousValue === value || graceMs === 0
          ? undefined
          : { value: previousValue, validUntil: now + graceMs };
      return {
        put: { key, value: null, secret: await encryptSecret(key, value, cipher, { previous, now }) },
        audit: buildAuditEntry(key, 'setting.rotate', {
          previousValidUntil: previous === undefined ? null : new Date(previous.validUntil).toISOString(),
        }),
      };
    }),
  );
  return {
    expectedRevision,
    put: [...[...values].map(([key, value]) => ({ key, value, secret: null })), ...rotations.map(({ put }) => put)],
    remove: removed,
    audit: [
      ...[...values.keys()].map((key) => buildAuditEntry(key, 'setting.change')),
      ...rotations.map(({ audit }) => audit),
      ...removed.map((key) => buildAuditEntry(key, 'setting.take_back')),
    ],
  };
}
