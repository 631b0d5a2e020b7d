import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run, startServer } from './cli.spec.support.js';

describe('countersign config explain', function () {
  this.timeout(120_000);

  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-explain-'));
    await writeFile(
      join(directory, 'countersign.config.yaml'),
      'Runs:\n  StuckAfter: PT3M\nIntegrations:\n  CodeHost:\n    Secret: hush-hush-hush-hush-hush\n',
    );
  });

  afterEach(() => rm(directory, { recursive: true, force: true }));

  const explain = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    run(['config', 'explain', ...args], { cwd: directory, env });

  it('should print the source of each value, including settings saved by admins', async () => {
    // given
    const server: TestHost = await createTestHost();
    try {
      await (
        await server.client('admin')
      ).updateSettings({
        body: {
          values: { 'Log:Level': 'debug' },
          secrets: { 'Integrations:CodeHost:Secret': 'another hush, of the same length' },
        },
      });

      // when
      const { code, stdout, stderr } = await explain(['--port', '9090', '--set', 'Limits:BodyBytes=5000'], {
        Storage__Postgres__ConnectionString: server.database.connectionString,
        Auth__RoleClaim: 'role',
      });

      // then
      expect(code, stderr).to.equal(0);
      const lines = stdout.split('\n');
      expect(lines).to.include.members([
        `Runs:StuckAfter = "PT3M"    # file ${join(directory, 'countersign.config.yaml')}`,
        'Server:Port = 9090    # command line, --port',
        'Limits:BodyBytes = 5000    # command line, --set Limits:BodyBytes',
        'Auth:RoleClaim = "role"    # environment variable Auth__RoleClaim',
        'Server:Host = "127.0.0.1"    # default',
        'Auth:Issuer = (not set)    # default',
        'Storage:Postgres:ConnectionString = [secret]    # environment variable Storage__Postgres__ConnectionString',
        'Log:Level = "debug"    # saved setting Log:Level',
        'Integrations:CodeHost:Secret = [secret]    # saved setting Integrations:CodeHost:Secret',
      ]);
      expect(stdout + stderr)
        .not.to.contain('hush')
        .and.not.contain(new URL(server.database.connectionString).password);
      expect(stderr).to.equal('');
    } finally {
      await server.close();
    }
  });

  it('should read saved settings from the embedded database, and warn on stderr when the server is not running', async () => {
    const resultWithoutServer = await explain(['Log', '--data', 'data']);
    expect(resultWithoutServer.code).to.equal(0);
    expect(resultWithoutServer.stdout).to.match(
      /^Log:Level = "info" {4}# default\nLog:Format = \(not set\) {4}# default\n$/,
    );
    expect(resultWithoutServer.stderr).to.equal(
      'Settings saved by admins could not be read and are not included: The embedded database is not running. It runs only while the server runs: start the server and try again.\n',
    );

    const server = await startServer(['--data', 'data'], { cwd: directory });
    try {
      const token = (await run(['token', '--role', 'admin', '--data', 'data'], { cwd: directory })).stdout.trim();
      await fetch(`${server.url}/api/settings`, {
        method: 'PATCH',
        headers: { 'authorization': `Bearer ${token}`, 'content-type': 'application/json' },
        body: '{"values": {"Log:Level": "warn"}}',
      });

      const { stdout, stderr } = await explain(['Log:Level', '--data', 'data']);

      expect(stdout).to.equal(
        'Log:Level = "warn"    # saved setting Log:Level\n\nMinimum level that is logged.\nAn admin may save another value, which takes effect immediately.\n',
      );
      expect(stderr).to.equal('');
    } finally {
      await server.end('SIGTERM');
    }
  });

  it('should explain the configuration without saved settings when the database is unreachable, and print the reason', async () => {
    const { code, stdout, stderr } = await explain(['Server:Port'], {
      Storage__Postgres__ConnectionString: 'postgresql://ada:hush-hush@127.0.0.1:9/none',
    });

    expect(code).to.equal(0);
    expect(stdout)
      .to.contain('Server:Port = 8080    # default')
      .and.contain('It can be set only in the configuration, not through the API.');
    expect(stderr)
      .to.contain('Settings saved by admins could not be read and are not included: The database "none" at 127.0.0.1:9')
      .and.not.contain('hush');
  });

  it('should report an invalid value or an unknown key without printing values that may be secrets', async () => {
    const { code, stdout, stderr } = await explain([], { Server__Port: 'hush-hush' });

    expect([code, stdout]).to.deep.equal([1, '']);
    expect(stderr).to.contain('Server:Port is wrong (environment variable Server__Port)').and.not.contain('hush');
    expect((await explain(['Server:Prt'])).stderr).to.contain('Unknown configuration key Server:Prt.');
  });
});
