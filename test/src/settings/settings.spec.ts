import type { Client, Setting } from '@countersign/contract';
import { approvalModel, createTestHost, currentTime, type TestHost, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import pg from 'pg';
import { expectProblem } from '../http/http.spec.support.js';
import { createDoor, type Door } from './door.spec.support.js';

const CONFIGURATION = {
  Door: {
    Sources: [
      { Id: 'ci', Secret: 'from the file, long enough' },
      { Id: 'other', Secret: 'of another one, long enough' },
    ],
    Vault: { one: 'vaulted' },
  },
};

describe('settings API', () => {
  let firstServer: TestHost;
  let secondServer: TestHost;
  let firstDoor: Door;
  let secondDoor: Door;
  let admin: Client;
  let secondServerAdmin: Client;

  beforeEach(async () => {
    [firstDoor, secondDoor] = [createDoor(), createDoor()];
    firstServer = await createTestHost({
      plugins: [firstDoor.plugin],
      configuration: CONFIGURATION,
      environment: { Door__Token: 'from the environment' },
    });
    secondServer = await createTestHost({
      shareDataWith: firstServer,
      plugins: [secondDoor.plugin],
      configuration: { Door: { ...CONFIGURATION.Door, Sources: CONFIGURATION.Door.Sources.toReversed() } },
    });
    [admin, secondServerAdmin] = [await firstServer.client('admin'), await secondServer.client('admin')];
  });

  afterEach(async () => {
    await secondServer.close();
    await firstServer.close();
  });

  const findItem = (items: readonly Setting[], key: string) => items.find((item) => item.key === key);
  const getSetting = async (key: string, client = admin) => findItem((await client.getSettings()).items, key);
  const save = (values: Record<string, never | unknown>, client = admin) =>
    client.updateSettings({ body: { values: values as never } });
  const rotate = (secrets: Record<string, string>, client = admin) => client.updateSettings({ body: { secrets } });

  it('should list every setting of core and plugins with its source, but without secret values', async () => {
    const { items, targets } = await admin.getSettings();

    expect(findItem(items, 'Limits:BodyBytes')).to.include({
      value: 1_048_576,
      source: 'default',
      editable: true,
      restartRequired: false,
      isSet: false,
      title: 'Maximum request body size',
      type: 'integer',
    });
    expect(findItem(items, 'Storage:Postgres:ConnectionString')).to.include({
      title: 'Connection string',
      value: null,
      isSecret: true,
      isSet: true,
      editable: false,
      restartRequired: true,
    });
    expect(findItem(items, 'Door:Sources:ci:Secret')).to.include({
      value: null,
      isSecret: true,
      isSet: true,
      source: 'file',
      editable: true,
      restartRequired: false,
      lastRotatedAt: null,
    });
    expect(findItem(items, 'Door:Token')).to.include({ value: null, source: 'env' });
    expect(findItem(items, 'Auth:ClientId')).to.include({ title: 'Client ID' });
    expect(findItem(items, 'Door:Sources')).to.deep.include({
      value: [
        { Id: 'ci', Secret: '[secret]' },
        { Id: 'other', Secret: '[secret]' },
      ],
    });
    expect(targets).to.include.members([
      'database',
      'engine',
      'model',
      'policy',
      'codehost',
      'event-ingress',
      'auth',
      'artifacts',
    ]);
    expect(JSON.stringify(items)).not.to.match(/long enough|vaulted|from the environment/);
  });

  it('should allow access to admins only', async () => {
    const approver = await firstServer.client('approver');

    expect(await expectProblem(approver.getSettings())).to.include({ status: 403, code: 'forbidden' });
    expect(await expectProblem(save({ 'Runs:StuckAfter': 'PT1M' }, approver))).to.include({ status: 403 });
    expect(await expectProblem(approver.testSettings({ target: 'database' }))).to.include({ status: 403 });
  });

  it('should apply a saved value immediately, and soon on the other server, until the value is reset', async () => {
    // given
    await firstServer.deploy(approvalModel('quick'));
    const tryStart = async (server: TestHost) =>
      (await server.client('viewer')).startRun({ body: { workflowId: 'quick' } }).then(
        () => true,
        () => false,
      );
    expect([await tryStart(firstServer), await tryStart(secondServer)]).to.deep.equal([true, true]);

    // when
    const { items } = await save({ 'Auth:StartRunRole': 'operator', 'Limits:BodyBytes': 2_000 });

    // then
    expect(findItem(items, 'Auth:StartRunRole')).to.include({ value: 'operator', source: 'override', isSet: true });
    expect(await tryStart(firstServer)).to.equal(false);
    await waitUntil('the other server applies the value', async () => !(await tryStart(secondServer)));
    expect(
      await expectProblem(
        (await secondServer.client('admin')).startRun({
          body: { workflowId: 'quick', inputs: { big: 'x'.repeat(3_000) } },
        }),
      ),
    ).to.include({ status: 413 });

    // and when
    await save({ 'Auth:StartRunRole': null });

    // then
    expect(await getSetting('Auth:StartRunRole', secondServerAdmin)).to.include({ value: 'viewer', source: 'default' });
    expect(await tryStart(firstServer)).to.equal(true);
    await waitUntil('the other server applies the value', () => tryStart(secondServer));
  });

  it('should save nothing if any change is invalid, and report an error for each', async () => {
    const problem = await expectProblem(
      admin.updateSettings({
        body: {
          values: {
            'Runs:StuckAfter': 'PT1M',
            'Runs:StuckAftr': 'PT1M',
            'Server:Port': 1,
            'Door:Token': 'x',
            'Door:Sources': [{ Id: 'ci', Secret: 'x' }],
            'Door:Nothing:Here': 1,
            'Door': {},
          },
          secrets: {
            'Door:Sources:gone:Secret': 'x',
            'Runs:StuckAfter': 'PT1M',
            'Storage:Postgres:ConnectionString': 'x',
          },
        },
      }),
    );

    expect(problem).to.include({ status: 422, code: 'unknown_setting' });
    expect(Object.fromEntries(problem.errors.map(({ pointer, code }) => [pointer, code]))).to.deep.equal({
      '/values/Runs:StuckAfter': 'invalid',
      '/values/Runs:StuckAftr': 'unknown_setting',
      '/values/Server:Port': 'not_editable',
      '/values/Door:Token': 'invalid',
      '/values/Door:Sources': 'invalid',
      '/values/Door:Nothing:Here': 'unknown_setting',
      '/values/Door': 'unknown_setting',
      '/secrets/Door:Sources:gone:Secret': 'unknown_setting',
      '/secrets/Runs:StuckAfter': 'invalid',
      '/secrets/Storage:Postgres:ConnectionString': 'not_editable',
    });
    expect(problem.errors.find(({ pointer }) => pointer.endsWith('StuckAftr'))?.message).to.contain(
      'Did you mean "Runs:StuckAfter"?',
    );
    expect((await admin.getSettings()).items.filter(({ source }) => source === 'override')).to.deep.equal([]);
  });

  it('should refuse values that the configuration schema does not allow', async () => {
    const problem = await expectProblem(
      save({ 'Door:Even': 3, 'Limits:BodyBytes': 0, 'Log:Level': 'loud', 'Runs:StuckAfter': 'soon', 'Door:Size': 5 }),
    );

    expect(problem).to.include({ status: 422, code: 'validation_failed' });
    expect(problem.errors.map(({ pointer }) => pointer)).to.have.members([
      '/values/Door:Even',
      '/values/Limits:BodyBytes',
      '/values/Log:Level',
      '/values/Runs:StuckAfter',
    ]);
    expect(await getSetting('Door:Size')).to.include({ source: 'default' });
    expect(await expectProblem(save({ 'Door:Sources': [{ Id: 'ci' }, { Id: 'ci' }] }))).to.include({
      code: 'validation_failed',
    });
  });

  it('should rotate the secret of an item by its id, and accept the previous secret during the grace period', async () => {
    // when
    const { items } = await rotate({ 'Door:Sources:ci:Secret': 'rotated, and long enough' });

    // then
    expect(findItem(items, 'Door:Sources:ci:Secret')).to.include({ source: 'override', value: null });
    expect(Date.parse(findItem(items, 'Door:Sources:ci:Secret')?.lastRotatedAt ?? '')).to.be.closeTo(
      currentTime(),
      60_000,
    );
    const expected = {
      ci: ['rotated, and long enough', 'from the file, long enough'],
      other: ['of another one, long enough'],
    };
    expect(firstDoor.acceptedSecrets()).to.deep.equal(expected);
    await waitUntil(
      'the other server, which lists the source at another position, applies the secret',
      async () => secondDoor.acceptedSecrets()['ci']?.[0] === 'rotated, and long enough',
    );
    expect(secondDoor.acceptedSecrets()).to.deep.equal(expected);
    expect(firstDoor.acceptedSecrets(currentTime() + 25 * 3_600_000)['ci']).to.deep.equal(['rotated, and long enough']);

    // and when the previous secret is known to have leaked
    await save({ 'Settings:RotationGrace': 'PT0S' });

    // then
    expect(firstDoor.acceptedSecrets()['ci']).to.deep.equal(['rotated, and long enough']);
  });

  it('should add items with new secrets in one request, and delete the secrets of removed items', async () => {
    const { items } = await admin.updateSettings({
      body: {
        values: {
          'Door:Sources': [
            { Id: 'new', Names: ['a'] },
            { Id: 'ci', Secret: '[secret]' },
          ],
        },
        secrets: { 'Door:Sources:new:Secret': 'of the new one', 'Door:Vault:two': 'of two' },
      },
    });

    expect(firstDoor.acceptedSecrets()).to.deep.equal({ new: ['of the new one'], ci: ['from the file, long enough'] });
    expect(firstDoor.currentConfiguration().Vault['two']?.reveal()).to.equal('of two');
    expect(findItem(items, 'Door:Vault:two')).to.include({ isSecret: true, isSet: true, source: 'override' });

    await save({ 'Door:Sources': [{ Id: 'ci' }] });
    await save({ 'Door:Sources': [{ Id: 'ci' }, { Id: 'new' }] });
    expect(firstDoor.acceptedSecrets()).to.deep.equal({ ci: ['from the file, long enough'], new: [] });

    await save({ 'Door:Sources': null, 'Door:Vault:two': null });
    expect(firstDoor.acceptedSecrets()).to.have.all.keys('ci', 'other');
    expect((await admin.getSettings()).items.filter(({ source }) => source === 'override')).to.deep.equal([]);
  });

  it('should report that a setting requires a restart, and apply the setting after the restart', async () => {
    // when
    const { items } = await save({ 'Door:Size': 5 });

    // then
    expect(findItem(items, 'Door:Size')).to.include({ value: 5, restartRequired: true, source: 'override' });
    expect([firstDoor.configurationAtBuild().Size, firstDoor.currentConfiguration().Size]).to.deep.equal([1, 1]);
    const ready = await admin.getReady();
    expect(ready.checks.find(({ name }) => name === 'settings')).to.deep.equal({
      name: 'settings',
      status: 'warn',
      detail: 'Saved settings: 1 awaiting a restart.',
    });

    // and when a server starts
    const newDoor = createDoor();
    const thirdServer = await createTestHost({
      shareDataWith: firstServer,
      plugins: [newDoor.plugin],
      configuration: CONFIGURATION,
    });

    // then
    try {
      expect(newDoor.configurationAtBuild().Size).to.equal(5);
      expect(
        (await (await thirdServer.client('admin')).getReady()).checks.find(({ name }) => name === 'settings'),
      ).to.include({ status: 'ok' });
    } finally {
      await thirdServer.close();
    }
  });

  it('should name the saved settings if a server cannot start with them, and how to start without them', async () => {
    // given an invalid value that no schema detects
    await save({ 'Door:Size': 13 });
    const newDoor = createDoor();
    const start = (Settings: object) =>
      createTestHost({
        shareDataWith: firstServer,
        plugins: [newDoor.plugin],
        configuration: { ...CONFIGURATION, Settings: Settings as never },
      });

    // when
    const failure = await start({}).catch((error: Error) => error.message);

    // then
    expect(failure)
      .to.contain('No door has this size.')
      .and.contain('This configuration includes saved settings: Door:Size.')
      .and.contain('--set Settings:Ignore=KEY');
    await (await start({ Ignore: ['Door:Size'] })).close();
    expect(newDoor.configurationAtBuild().Size).to.equal(1);
  });

  it('should save concurrent changes of different settings, and never mix concurrent changes of one setting', async () => {
    const sizes = Array.from({ length: 12 }, (_, index) => index);
    const results = await Promise.all([
      ...sizes.map((index) =>
        rotate({ [`Door:Vault:v${index}`]: `value ${index}` }, index % 2 === 0 ? admin : secondServerAdmin).then(
          () => 'saved',
          (error: { problem?: { code: string } }) => error.problem?.code,
        ),
      ),
    ]);
    const { items } = await admin.getSettings();

    // a change that was not saved returned a conflict
    for (const index of sizes)
      expect(findItem(items, `Door:Vault:v${index}`) !== undefined, `v${index}`).to.equal(results[index] === 'saved');
    expect(results.filter((result) => result !== 'saved' && result !== 'conflict')).to.deep.equal([]);
    expect(results.filter((result) => result === 'saved').length).to.be.greaterThan(sizes.length / 2);

    // and when both change the same setting
    const rotationResults = await Promise.allSettled([
      rotate({ 'Door:Sources:ci:Secret': 'by one' }),
      rotate({ 'Door:Sources:ci:Secret': 'by two' }, secondServerAdmin),
    ]);
    await admin.getSettings();
    const accepted = firstDoor.acceptedSecrets()['ci'] ?? [];
    expect(['by one', 'by two']).to.include(accepted[0]);
    if (rotationResults.some(({ status }) => status === 'rejected'))
      expect(accepted).to.deep.equal([accepted[0], 'from the file, long enough']);
  });

  it('should respond with a conflict to a change of a setting that is concurrently reset', async () => {
    // given an admin who resets the setting, but has not committed yet
    await save({ 'Runs:StuckAfter': 'PT7M' });
    const otherConnection = new pg.Client({ connectionString: firstServer.database.connectionString });
    await otherConnection.connect();
    try {
      await otherConnection.query('BEGIN');
      await otherConnection.query('UPDATE settings_revision SET revision = revision + 1');
      await otherConnection.query(`DELETE FROM settings WHERE key = 'Runs:StuckAfter'`);

      // when
      const savingProblem = expectProblem(save({ 'Runs:StuckAfter': 'PT9M' }));
      await waitUntil(
        'the update waits for the other transaction',
        async () =>
          (
            await otherConnection.query(
              `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
            )
          ).rowCount === 1,
      );
      await otherConnection.query('COMMIT');

      // then
      expect(await savingProblem).to.include({ status: 409, code: 'conflict' });
      expect(await getSetting('Runs:StuckAfter')).to.include({ value: 'PT5M', source: 'default' });
    } finally {
      await otherConnection.end();
    }
  });

  it('should accept only the canonical key of a setting, and no key for the id of an item', async () => {
    // given a source whose name requires escaping
    await save({ 'Door:Sources': [{ Id: 'ci' }, { Id: 'a:b' }, { Id: '50%' }] });
    await rotate({ 'Door:Sources:a%3Ab:Secret': 'of a:b', 'Door:Sources:50%25:Secret': 'of 50%' });

    // when the key is written in other ways that would store a second secret
    const problem = await expectProblem(
      rotate({ 'Door:Sources:a%3ab:Secret': 'another one', 'Door:Sources:50%:Secret': 'another one' }),
    );

    // then
    expect(problem).to.include({ status: 422, code: 'unknown_setting' });
    expect(problem.errors.map(({ message }) => message)).to.deep.equal(
      ['a%3Ab', '50%25'].map((name) => `There is no such setting. Did you mean "Door:Sources:${name}:Secret"?`),
    );
    expect(await expectProblem(save({ 'Door:Sources:ci:Id': 'renamed' }))).to.include({ code: 'unknown_setting' });
    expect(firstDoor.acceptedSecrets()).to.deep.equal({
      'ci': ['from the file, long enough'],
      'a:b': ['of a:b'],
      '50%': ['of 50%'],
    });
  });

  it('should report thousands of errors in one response, and refuse a limit that would prevent its own reset', async () => {
    const unknownSettings = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, index) => [`Door:Nowhere:${index}`, 1]),
    );
    expect((await expectProblem(save(unknownSettings))).errors).to.have.length(5_000);

    expect(await expectProblem(save({ 'Limits:BodyBytes': 1 }))).to.include({ status: 422, code: 'validation_failed' });
    await save({ 'Limits:BodyBytes': 1_024 });
    expect(findItem((await save({ 'Limits:BodyBytes': null })).items, 'Limits:BodyBytes')).to.include({
      source: 'default',
    });
  });

  it('should record in the audit trail who changed which setting, but not the values', async () => {
    await admin.updateSettings({
      body: { values: { 'Runs:StuckAfter': 'PT7M' }, secrets: { 'Door:Token': 'a new token' } },
    });
    await save({ 'Runs:StuckAfter': null });

    const { items } = await admin.listAuditEvents({});
    const auditedSettings = items
      .filter(({ action }) => action.startsWith('setting.'))
      .map(({ action, actor, target, result, from }) => ({ action, actor, target, result, from }));
    expect(auditedSettings).to.have.deep.members([
      {
        action: 'setting.change',
        actor: 'admin',
        target: { type: 'setting', id: 'Runs:StuckAfter' },
        result: 'ok',
        from: '127.0.0.1',
      },
      {
        action: 'setting.rotate',
        actor: 'admin',
        target: { type: 'setting', id: 'Door:Token' },
        result: 'ok',
        from: '127.0.0.1',
      },
      {
        action: 'setting.take_back',
        actor: 'admin',
        target: { type: 'setting', id: 'Runs:StuckAfter' },
        result: 'ok',
        from: '127.0.0.1',
      },
    ]);
    expect(JSON.stringify(items)).not.to.match(/PT7M|a new token|from the environment/);
  });

  it('should store no secret in clear text in the database', async () => {
    await rotate({ 'Door:Sources:ci:Secret': 'rotated, and long enough', 'Door:Vault:one': 'in the vault' });

    const database = new pg.Client({ connectionString: firstServer.database.connectionString });
    await database.connect();
    const { rows } = await database.query<{ row: string }>('SELECT settings::text AS row FROM settings');
    await database.end();

    expect(rows).to.have.length(2);
    expect(JSON.stringify(rows))
      .to.contain('keyId')
      .and.not.match(/long enough|vault[^:]*ed|in the vault/);
  });
});
