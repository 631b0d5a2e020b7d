import type { Caller } from '../../application/caller.js';
import { recordedActor } from '@countersign/model';
import type { ClockPort } from '../../ports/clock.js';
import type { AuditEntry } from '../../ports/records.js';
import type { SettingsChange } from '../../ports/settings.js';
import type { CoreConfiguration } from '../configuration/core-configuration.js';
import type { KeyRing } from './key-ring.js';
import type { SettingsPlan } from './settings-change.js';
import { encryptSecret } from './stored-secrets.js';

/**
 * Converts a planned change for the storage: encrypts secrets and adds an audit entry, without the value, for each
 * setting.
 */
export async function writableChange(
  { resolved, values, secrets, removed }: SettingsPlan,
  expectedRevision: number,
  { actor, from }: Pick<Caller, 'actor' | 'from'>,
  { ring, clock }: { readonly ring: KeyRing; readonly clock: ClockPort },
): Promise<SettingsChange> {
  const now = clock.now();
  const graceMs = (resolved.parsed.get('core') as CoreConfiguration).Settings.RotationGrace;
  const entry = (key: string, action: string, data: AuditEntry['data'] = {}): AuditEntry => ({
    at: now,
    actor: recordedActor(actor),
    action,
    target: { type: 'setting', id: key },
    result: 'ok',
    from,
    data,
  });
  const rotated = await Promise.all(
    [...secrets].map(async ([key, { value, before }]) => {
      const previous =
        before === '' || before === value || graceMs === 0 ? undefined : { value: before, validUntil: now + graceMs };
      return {
        put: { key, value: null, secret: await encryptSecret(key, value, ring, { previous, now }) },
        audit: entry(key, 'setting.rotate', {
          previousValidUntil: previous === undefined ? null : new Date(previous.validUntil).toISOString(),
        }),
      };
    }),
  );
  return {
    expectedRevision,
    put: [...[...values].map(([key, value]) => ({ key, value, secret: null })), ...rotated.map(({ put }) => put)],
    remove: removed,
    audit: [
      ...[...values.keys()].map((key) => entry(key, 'setting.change')),
      ...rotated.map(({ audit }) => audit),
      ...removed.map((key) => entry(key, 'setting.take_back')),
    ],
  };
}
