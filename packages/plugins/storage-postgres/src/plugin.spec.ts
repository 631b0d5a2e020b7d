import { createTestDatabase } from '@countersign/embedded-postgres';
import { expect } from 'chai';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createHost,
  LifecycleContribution,
  ReadinessCheckContribution,
  StoragePort,
  type Host,
} from '@countersign/core';
import { waitUntil } from '@countersign/model/testing';
import { storagePostgresPlugin } from './plugin.js';
import { captureError } from './storage.spec.support.js';

function createTestHost(values: Record<string, string>): Host {
  const environment = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key.replaceAll(':', '__'), value]),
  );
  return createHost({ plugins: [storagePostgresPlugin], configuration: { environment } });
}

const runReadinessChecks = (host: Host) =>
  Promise.all(host.getAll(ReadinessCheckContribution).map((check) => check.check()));

describe('storagePostgresPlugin', () => {
  it('should use an external database, and report when it is unavailable', async () => {
    const database = await createTestDatabase();
    const host = createTestHost({ 'Storage:Postgres:ConnectionString': database.connectionString });
    await host.start();
    try {
      await host.get(StoragePort).check();
      // A check that takes longer than 0.8 s reports a failure.
      await waitUntil('the database is ready', async () => (await runReadinessChecks(host))[0]?.status === 'ok');
      await database.drop();
      const [unavailableResult] = await runReadinessChecks(host);
      expect(unavailableResult?.status).to.equal('fail');
      expect(unavailableResult?.detail).not.to.include(new URL(database.connectionString).password);
    } finally {
      await host.stop();
    }
  });

  it('should start and stop an embedded database in the data directory, and keep its data', async function () {
    this.timeout(60_000);
    const directory = await mkdtemp(join(tmpdir(), 'countersign-plugin-'));
    try {
      for (const expected of [0, 1]) {
        const host = createTestHost({ 'Data:Directory': directory });
        await host.start();
        const storage = host.get(StoragePort);
        expect(await storage.listAudit({}, 10)).to.have.length(expected);
        await storage.appendAudit([
          { at: Date.UTC(2026, 0, 5), actor: null, action: 'x', target: {}, result: 'ok', from: null, data: {} },
        ]);
        await host.stop();
        expect(await runReadinessChecks(host)).to.have.nested.property('[0].status', 'fail');
      }
      expect(await readdir(directory)).to.eql(['postgres']);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });

  it('should fail to start without showing the password if the database cannot be used', async () => {
    const host = createTestHost({ 'Storage:Postgres:ConnectionString': 'postgresql://u:s3cr3t@127.0.0.1:1/db' });
    const failure = await captureError(host.start());
    expect(failure.message).to.include('nothing is listening').and.not.include('s3cr3t');
    expect(JSON.stringify(host.configuration)).not.to.include('s3cr3t');
    expect(host.getAll(LifecycleContribution).map(({ name }) => name)).to.deep.equal([
      'storage-postgres',
      'settings',
      'agents',
    ]);
  });
});
