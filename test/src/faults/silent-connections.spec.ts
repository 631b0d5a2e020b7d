import type { Ready } from '@countersign/contract';
import { createMigratedTestDatabase } from '@countersign/storage-postgres';
import { approvalModel, createTestHost, seconds, type TestHost, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseProxy } from './database-proxy.spec.support.js';

/** Longer than the timeout of silent connections plus a heartbeat. */
const RECOVERY_SECONDS = 30;

describe('database connections that go silent', function () {
  this.timeout(120_000);

  let dataDirectory: string;
  let database: Awaited<ReturnType<typeof createMigratedTestDatabase>>;
  let proxy: DatabaseProxy;
  let countersign: TestHost;
  let isClosed: boolean;
  /** Token of a user who signed in before the fault. */
  let authorization: string;

  beforeEach(async () => {
    isClosed = false;
    dataDirectory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-faults-'));
    database = await createMigratedTestDatabase();
    proxy = await DatabaseProxy.start(database.connectionString);
    countersign = await createTestHost({
      shareDataWith: { database, dataDirectory },
      environment: {
        Storage__Postgres__ConnectionString: proxy.connectionString,
        Storage__Postgres__CommitTimeout: 'PT2S',
      },
    });
    await countersign.deploy(approvalModel('silent'));
    authorization = `Bearer ${await countersign.token('admin')}`;
  });

  afterEach(async () => {
    if (!isClosed) await countersign.close();
    await proxy.close();
    await database.drop();
    await rm(dataDirectory, { recursive: true, force: true });
  });

  async function start(key: string): Promise<Response> {
    const headers = {
      authorization,
      'content-type': 'application/json',
      'idempotency-key': key,
    };
    return fetch(`${countersign.url}/api/runs`, {
      method: 'POST',
      headers,
      body: '{"workflowId":"silent"}',
      signal: AbortSignal.timeout(seconds(RECOVERY_SECONDS)),
    });
  }

  const waitForStartedRun = (key: string): Promise<string> =>
    waitUntil(
      'a run starts',
      async () => {
        const response = await start(key);
        const { runId } = (await response.json()) as { runId?: string };
        return response.ok ? runId : undefined;
      },
      RECOVERY_SECONDS,
    );

  const listRunIds = async (): Promise<string[]> =>
    (await (await countersign.client('viewer')).listRuns({})).items.map(({ runId }) => runId);

  it('should be dropped, so that commands are retried on new connections', async () => {
    // given
    const earlierRunId = await waitForStartedRun('before');

    // when
    proxy.dropOpenConnections();

    // then
    const laterRunId = await waitForStartedRun('after');
    expect(await listRunIds()).to.have.members([earlierRunId, laterRunId]);
  });

  it('should not cause a second run when a committed start is repeated after a lost response', async () => {
    // given
    const earlierRunId = await waitForStartedRun('before');

    // when
    proxy.loseResponses();
    const failedResponse = await start('after');
    proxy.repair();

    // then
    expect(failedResponse.status).to.equal(503);
    const laterRunId = await waitForStartedRun('after');
    expect(await listRunIds()).to.have.members([earlierRunId, laterRunId]);
  });

  it('should not prevent a 201 response when only the database response to the commit was lost', async () => {
    // given
    const earlierRunId = await waitForStartedRun('before');

    // when
    proxy.loseResponsesOfOpenConnections();
    const response = await start('after');

    // then
    expect(response.status, await response.clone().text()).to.equal(201);
    const { runId } = (await response.json()) as { runId: string };
    expect(await listRunIds()).to.have.members([earlierRunId, runId]);
  });

  it('should make the server unready while nothing can be committed, and ready again afterwards', async () => {
    const getReadiness = async (): Promise<Ready> =>
      (await (
        await fetch(`${countersign.url}/api/health/ready`, {
          headers: { authorization: `Bearer ${await countersign.token('operator')}` },
        })
      ).json()) as Ready;
    await waitUntil('the server is ready', async () => (await getReadiness()).status === 'ok');

    proxy.hang();
    await waitUntil(
      'the server is not ready',
      async () => (await getReadiness()).checks.some(({ name, status }) => name === 'database' && status === 'fail'),
      RECOVERY_SECONDS,
    );

    proxy.repair();
    await waitUntil('the server is ready', async () => (await getReadiness()).status === 'ok', RECOVERY_SECONDS);
  });

  it('should not prevent the server from stopping', async () => {
    // given
    await waitForStartedRun('before');

    // when the database no longer responds
    proxy.hang();
    isClosed = true;

    // then close() settles within the test timeout; it rejects if it could not release everything in the database
    await countersign.close().catch((error: unknown) => expect(error).to.be.an('error'));
  });
});
