import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { definePlugin, type SettingsTestCheck, SettingsTestContribution } from '@countersign/core/plugin';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import pg from 'pg';
import { expectProblem } from '../http/http.spec.support.js';

class BellTest implements SettingsTestContribution {
  readonly target = 'bell';
  checks(): readonly SettingsTestCheck[] {
    return [
      { name: 'rings', run: async () => 'It rang.' },
      { name: 'is heard', run: () => Promise.reject(Object.assign(new Error('password=hush'), { code: 'EDEAF' })) },
    ];
  }
}
const bellPlugin = definePlugin({
  id: 'bell',
  register({ contribute }) {
    contribute(SettingsTestContribution, BellTest);
  },
});

describe('connection tests of settings', () => {
  let host: TestHost;
  let database: pg.Client;
  let run: (
    target: string,
  ) => Promise<{ ok: boolean; checks: { name: string; ok: boolean; detail: string | null; durationMs: number }[] }>;

  before(async () => {
    host = await createTestHost({
      plugins: [bellPlugin],
      configuration: {
        Integrations: {
          CodeHost: { Enabled: true },
          EventIngress: {
            Enabled: true,
            Sources: [
              { Id: 'ci', Secret: 'long enough for every purpose', AllowedMessageNames: ['paid'] },
              { Id: 'off' },
            ],
          },
        },
      },
    });
    database = new pg.Client({ connectionString: host.database.connectionString });
    await database.connect();
    const admin = await host.client('admin');
    run = (target) => admin.testSettings({ target });
  });

  after(async () => {
    await database.end();
    await host.close();
  });

  it('should test the database, engine, policy, authentication and artifact store without side effects', async () => {
    const listRows = async () =>
      (
        await database.query<{ n: string }>(
          'SELECT (SELECT count(*) FROM idempotency_keys) + (SELECT count(*) FROM settings) + (SELECT count(*) FROM jobs) AS n',
        )
      ).rows;
    const before = await listRows();

    for (const target of ['database', 'engine', 'policy', 'auth', 'artifacts']) {
      const { ok, checks } = await run(target);
      expect(ok, JSON.stringify(checks)).to.equal(true);
      expect(checks.length, target).to.be.greaterThan(0);
      for (const { detail, durationMs } of checks) {
        expect(detail, target).to.match(/\w+.*\.$/);
        expect(durationMs).to.be.at.least(0);
      }
    }

    expect(await listRows()).to.deep.equal(before);
    expect((await run('database')).checks.map(({ name }) => name)).to.deep.equal([
      'ready',
      'the schema is up to date',
      'a row can be written',
      'the clocks agree',
    ]);
  });

  it('should fail if no plugin has a check for the target', async () => {
    expect(await run('model')).to.deep.include({ ok: false });
    expect((await run('model')).checks[0]).to.include({
      ok: false,
      detail: 'No plugin of this server provides a test for this target.',
    });
  });

  it('should report the result of each check, and only the code of an unexpected error', async () => {
    const { ok, checks } = await run('bell');

    expect(ok).to.equal(false);
    expect(checks.map((check) => ({ ...check, durationMs: 0 }))).to.deep.equal([
      { name: 'rings', ok: true, detail: 'It rang.', durationMs: 0 },
      { name: 'is heard', ok: false, detail: 'The test failed (EDEAF); see the log for the reason.', durationMs: 0 },
    ]);
  });

  it('should fail if artifacts cannot be written', async () => {
    const directory = join(host.dataDirectory, 'artifacts', 'tmp');
    await rename(directory, `${directory}.away`);
    await writeFile(directory, 'in the way');
    try {
      expect(await run('artifacts')).to.include({ ok: false });
    } finally {
      await rm(directory);
      await rename(`${directory}.away`, directory);
    }
  });

  it('should check for each event source whether its signature is accepted', async () => {
    const { ok, checks } = await run('event-ingress');

    expect(ok).to.equal(false);
    expect(checks.map(({ name, ok: isOk, detail }) => [name, isOk, detail])).to.deep.equal([
      ['ready', true, '1 source, and 1 disabled.'],
      ['enabled', true, 'POST /webhooks/events is open.'],
      ['the source ci', true, 'Deliveries signed with its secret are accepted; the source may deliver paid.'],
      ['the source off', false, 'The source has no secret, so it is disabled.'],
    ]);
  });

  it('should fail if a readiness check only warns', async () => {
    expect(await run('codehost')).to.deep.include({ ok: false });
    expect((await run('codehost')).checks[0]?.detail).to.contain('not verified');
  });

  it('should respond with 404 to an unknown target', async () => {
    const admin = await host.client('admin');
    expect(await expectProblem(admin.testSettings({ target: 'moon' }))).to.include({
      status: 404,
      code: 'settings_target_not_found',
    });
    expect(await expectProblem(admin.testSettings({ target: '../x' }))).to.include({ status: 404 });
    expect((await admin.getSettings()).targets).to.include('bell');
  });
});
