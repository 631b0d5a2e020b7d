import { createMigratedTestDatabase } from '@countersign/storage-postgres';
import { expect } from 'chai';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../cli/cli.spec.support.js';
import { DatabaseProxy } from './database-proxy.spec.support.js';

describe('server that receives SIGTERM', function () {
  this.timeout(60_000);

  let directory: string;
  let database: Awaited<ReturnType<typeof createMigratedTestDatabase>>;
  let proxy: DatabaseProxy;

  beforeEach(async () => {
    directory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-stop-'));
    database = await createMigratedTestDatabase();
    proxy = await DatabaseProxy.start(database.connectionString);
  });

  afterEach(async () => {
    await proxy.close();
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  });

  it('should exit within Server:StopTimeout while the database hangs, and report unfinished work', async () => {
    // given
    const env = {
      Storage__Postgres__ConnectionString: proxy.connectionString,
      Storage__Postgres__CommitTimeout: 'PT1M',
      Server__StopTimeout: 'PT2S',
    };
    const server = await startServer(['--set', 'Data:Directory=data'], { cwd: directory, env });

    // when
    proxy.hang();
    const ended = await server.end('SIGTERM');

    // then
    expect(ended).to.eql({ code: 1, signal: null });
    expect(server.output()).to.contain('The server did not stop within 2 s (Server:StopTimeout).');
  });
});
