import { randomBytes } from 'node:crypto';
import { chmod, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '@countersign/core';
import { createTestHost, type TestHost, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import pg from 'pg';
import { expectProblem } from '../http/http.spec.support.js';
import { createDoor, type Door } from './door.spec.support.js';

const SOURCES = {
  Door: {
    Sources: [
      { Id: 'ci', Secret: 'from the file' },
      { Id: 'qa', Secret: 'of qa' },
    ],
  },
};
const generateKey = () => randomBytes(32).toString('base64');

describe('encryption of saved secrets', () => {
  let firstHost: TestHost;
  let database: pg.Client;
  const otherHosts: TestHost[] = [];

  beforeEach(async () => {
    firstHost = await createTestHost({ plugins: [createDoor().plugin], configuration: SOURCES });
    database = new pg.Client({ connectionString: firstHost.database.connectionString });
    await database.connect();
  });

  afterEach(async () => {
    for (const other of otherHosts.splice(0)) await other.close();
    await database.end();
    await firstHost.close();
  });

  const saveSecrets = async (secrets: Record<string, string>, server = firstHost) =>
    (await server.client('admin')).updateSettings({ body: { secrets } });
  const listKeyIds = async () =>
    (
      await database.query<{ id: string }>(
        `SELECT DISTINCT unnest(ARRAY[secret -> 'current' ->> 'keyId', secret -> 'previous' -> 'text' ->> 'keyId']) AS id FROM settings WHERE secret IS NOT NULL`,
      )
    ).rows
      .map(({ id }) => id)
      .filter((id) => id !== null);

  /** Starts another server on the same database. */
  async function start(
    settings: JsonObject = {},
    configuration: JsonObject = SOURCES,
    sharedWith: Pick<TestHost, 'database' | 'dataDirectory'> = firstHost,
  ): Promise<Door> {
    const otherDoor = createDoor();
    otherHosts.push(
      await createTestHost({
        shareDataWith: sharedWith,
        plugins: [otherDoor.plugin],
        configuration: { ...configuration, Settings: settings },
      }),
    );
    return otherDoor;
  }
  const captureStartError = (work: Promise<unknown>) =>
    work.then(
      () => {
        throw new Error('The start should have failed.');
      },
      (error: Error & { problems: { code: string; message: string }[] }) =>
        error.problems[0] ?? { code: 'none', message: String(error) },
    );

  it('should create a key file with mode 0600 when the first secret is saved', async () => {
    const file = join(firstHost.dataDirectory, 'settings.key');
    expect(await stat(file).catch((error: NodeJS.ErrnoException) => error.code)).to.equal('ENOENT');

    await saveSecrets({ 'Door:Sources:ci:Secret': 'rotated' });

    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    expect(Buffer.from(await readFile(file, 'utf8'), 'base64')).to.have.length(32);
    expect((await start()).acceptedSecrets()['ci']).to.deep.equal(['rotated', 'from the file']);
  });

  it('should re-encrypt all secrets with a new key, even if two servers start concurrently', async () => {
    // given
    await saveSecrets({
      'Door:Sources:ci:Secret': 'rotated',
      'Door:Sources:qa:Secret': 'rotated, too',
      'Door:Token': 'first',
    });
    const [oldKeyId, ...otherKeyIds] = await listKeyIds();
    expect(otherKeyIds).to.deep.equal([]);

    // when
    const key = generateKey();
    const [left, right] = await Promise.all([start({ EncryptionKey: key }), start({ EncryptionKey: key })]);

    // then
    const currentKeyIds = await listKeyIds();
    expect(currentKeyIds).to.have.length(1).and.not.include(oldKeyId);
    for (const otherDoor of [left, right])
      expect(otherDoor.acceptedSecrets()).to.deep.equal({
        ci: ['rotated', 'from the file'],
        qa: ['rotated, too', 'of qa'],
      });

    // and the previous key is no longer needed
    await rename(join(firstHost.dataDirectory, 'settings.key'), join(firstHost.dataDirectory, 'settings.key.old'));
    expect((await start({ EncryptionKey: key })).acceptedSecrets()['qa']).to.deep.equal(['rotated, too', 'of qa']);
  });

  it('should accept a previous key after a key change, and report a server without the new key as not ready', async () => {
    const [first, second] = [generateKey(), generateKey()];
    await start({ EncryptionKey: first });
    await saveSecrets({ 'Door:Token': 'hush' }, otherHosts[0]);

    const otherDoor = await start({ EncryptionKey: second, PreviousEncryptionKeys: [generateKey(), first] });

    expect(otherDoor.currentConfiguration().Token.reveal()).to.equal('hush');
    // and the other server, which has only the first key, reports it and keeps its values
    await waitUntil(
      'the server reports that it is not ready',
      async () => (await fetch(`${otherHosts[0]?.url ?? ''}/api/health/ready`)).status === 503,
    );
    expect(await expectProblem(saveSecrets({ 'Door:Token': 'other' }, otherHosts[0]))).to.include({
      status: 503,
      code: 'service_unavailable',
    });
  });

  it('should refuse to start without the matching key, and name the key and the remedy', async () => {
    await saveSecrets({ 'Door:Sources:ci:Secret': 'rotated' });
    const [id] = await listKeyIds();
    await rename(join(firstHost.dataDirectory, 'settings.key'), join(firstHost.dataDirectory, 'lost.key'));

    const { code, message } = await captureStartError(start({ EncryptionKey: generateKey() }));

    expect(code).to.equal('settings_key_missing');
    expect(message)
      .to.contain(id)
      .and.contain('--set Settings:Ignore=Door:Sources:ci:Secret')
      .and.not.contain('rotated');

    // and with `Settings:Ignore` the server starts with the value of the configuration
    const otherDoor = await start({ EncryptionKey: generateKey(), Ignore: 'Door:Sources:ci:Secret' });
    expect(otherDoor.acceptedSecrets()['ci']).to.deep.equal(['from the file']);
  });

  it('should refuse to start if a stored secret was copied to another setting or replaced by its previous value', async () => {
    // given an attacker with write access to the database who knows the secret of "qa" and wants to copy it to "ci"
    await saveSecrets({ 'Door:Sources:ci:Secret': 'unknown', 'Door:Sources:qa:Secret': 'known' });
    await database.query(
      `UPDATE settings SET secret = (SELECT secret FROM settings WHERE key = 'Door:Sources:qa:Secret') WHERE key = 'Door:Sources:ci:Secret'`,
    );
    const copyError = await captureStartError(start());
    expect(copyError).to.include({ code: 'settings_secret_damaged' });

    // and who replaces the current value with the previous one
    await database.query(
      `UPDATE settings SET secret = jsonb_set(secret, '{current}', secret -> 'previous' -> 'text') WHERE key = 'Door:Sources:qa:Secret'`,
    );
    await database.query(`DELETE FROM settings WHERE key = 'Door:Sources:ci:Secret'`);
    expect(await captureStartError(start())).to.include({ code: 'settings_secret_damaged' });
  });

  it('should refuse an invalid key', async () => {
    expect((await captureStartError(start({ EncryptionKey: 'short' }))).message)
      .to.contain('openssl rand -base64 32')
      .and.not.contain('short');
    await saveSecrets({ 'Door:Token': 'x' });
    const file = join(firstHost.dataDirectory, 'settings.key');
    await chmod(file, 0o600);
    await writeFile(file, 'broken');
    expect(await captureStartError(start())).to.include({ code: 'settings_key_unreadable' });
  });

  it('should delete the previous value of a rotated secret after its grace period', async () => {
    await saveSecrets({ 'Door:Token': 'one' });
    await saveSecrets({ 'Door:Token': 'two' });
    const readPreviousSecret = async () =>
      (await database.query<{ previous: string | null }>(`SELECT secret ->> 'previous' AS previous FROM settings`))
        .rows[0]?.previous;
    expect(await readPreviousSecret()).to.be.a('string');

    await database.query(`UPDATE settings SET secret = jsonb_set(secret, '{previous,validUntil}', '1')`);
    await start();

    expect(await readPreviousSecret()).to.equal(null);
  });

  it('should ignore invalid saved numbers and unknown keys, and refuse to start with any other invalid setting', async () => {
    // given values that another version may have saved
    await database.query(
      `INSERT INTO settings (key, value, revision) VALUES ('Door:Size', '"large"', 1), ('Gone:Setting', '1', 1)`,
    );
    const otherDoor = await start();
    expect(otherDoor.configurationAtBuild().Size).to.equal(1);
    expect(
      (await (await otherHosts[0]!.client('admin')).getReady()).checks.find(({ name }) => name === 'settings'),
    ).to.deep.equal({ name: 'settings', status: 'warn', detail: 'Saved settings: 2 without effect.' });

    await database.query(`INSERT INTO settings (key, value, revision) VALUES ('Auth:DeployRole', '"nobody"', 1)`);
    const { code, message } = await captureStartError(start());
    expect(code).to.equal('invalid_configuration');
    expect(message).to.contain('Auth:DeployRole').and.contain('--set Settings:Ignore=Auth:DeployRole');

    // and settings without an effect can be reset
    await (
      await otherHosts[0]!.client('admin')
    )
      .updateSettings({ body: { values: { 'Gone:Setting': null } } })
      .catch(() => undefined);
    await database.query(`DELETE FROM settings WHERE key = 'Auth:DeployRole'`);
    await (
      await otherHosts[0]!.client('admin')
    ).updateSettings({ body: { values: { 'Gone:Setting': null, 'Door:Size': null } } });
    expect(
      (await (await otherHosts[0]!.client('admin')).getReady()).checks.find(({ name }) => name === 'settings'),
    ).to.include({ status: 'ok' });
  });
});
