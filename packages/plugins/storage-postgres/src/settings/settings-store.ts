import type { Json } from '@countersign/core/plugin';
import type { SettingsChange, StoredSecret, StoredSettings } from '@countersign/core/ports';
import { appendAudit } from '../audit/append-audit.js';
import type { Queryable } from '../database/transaction.js';

export async function loadSettingsRevision(database: Queryable): Promise<number> {
  const { rows } = await database.query({
    name: 'settings_revision',
    text: 'SELECT revision FROM settings_revision WHERE id = 1',
    values: [],
  });
  return Number(rows[0]?.['revision']);
}

/** Loads the saved settings in one statement, so that revision and settings are consistent. */
export async function loadSettings(database: Queryable): Promise<StoredSettings> {
  const { rows } = await database.query({
    name: 'load_settings',
    text: `SELECT r.revision AS head, s.key, s.value::text AS value, s.secret::text AS secret, s.revision
           FROM settings_revision r LEFT JOIN settings s ON true WHERE r.id = 1 ORDER BY s.key COLLATE "C"`,
    values: [],
  });
  return {
    revision: Number(rows[0]?.['head']),
    settings: rows
      .filter(({ key }) => key !== null)
      .map((row) => ({
        key: String(row['key']),
        value: row['value'] === null ? null : (JSON.parse(String(row['value'])) as Json),
        secret: row['secret'] === null ? null : (JSON.parse(String(row['secret'])) as StoredSecret),
        revision: Number(row['revision']),
      })),
  };
}

/**
 * Changes settings if the revision is still the expected one. Must run in a transaction, so that the revision, the
 * settings and the audit events change together.
 */
export async function changeSettings(
  transaction: Queryable,
  { expectedRevision, put, remove, audit }: SettingsChange,
): Promise<'changed' | 'conflict'> {
  const { rows } = await transaction.query({
    name: 'claim_settings_revision',
    text: 'UPDATE settings_revision SET revision = revision + 1 WHERE id = 1 AND revision = $1 RETURNING revision',
    values: [expectedRevision],
  });
  const revision = rows[0]?.['revision'];
  if (revision === undefined) return 'conflict';
  await transaction.query({
    name: 'remove_settings',
    text: 'DELETE FROM settings WHERE key = ANY($1::text[])',
    values: [remove],
  });
  await transaction.query({
    name: 'put_settings',
    text: `INSERT INTO settings (key, value, secret, revision)
           SELECT x.k, x.v, x.s, $2 FROM json_to_recordset($1::json) AS x(k text, v jsonb, s jsonb)
           ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value, secret = EXCLUDED.secret, revision = EXCLUDED.revision`,
    values: [
      JSON.stringify(
        put.map(({ key, value, secret }) => ({ k: key, ...(secret === null ? { v: value } : { s: secret }) })),
      ),
      revision,
    ],
  });
  await appendAudit(transaction, audit);
  return 'changed';
}
