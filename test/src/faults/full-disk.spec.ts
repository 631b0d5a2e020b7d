import { startEmbeddedPostgres, type EmbeddedPostgres } from '@countersign/embedded-postgres';
import { approvalModel, createTestHost, type TestHost, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, open, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Space for a new PostgreSQL, its log and little more. */
const DISK_SIZE = '256m';
const FILL_BLOCK = Buffer.alloc(1_048_576);
const SILENT_LOG = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

describe('database with a full disk', function () {
  this.timeout(300_000);

  let directory: string;
  let disk: string;
  let isMounted = false;
  let postgres: EmbeddedPostgres | undefined;
  let countersign: TestHost | undefined;

  before(async function () {
    directory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-full-'));
    disk = join(directory, 'disk');
    await mkdir(disk);
    const mountResult =
      process.platform === 'linux'
        ? spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_SIZE},mode=755`, 'tmpfs', disk], { encoding: 'utf8' })
        : undefined;
    isMounted = mountResult?.status === 0;
    if (!isMounted) {
      process.stderr.write(
        `The test of a full disk is skipped: no small file system can be mounted here (${mountResult?.stderr.trim() ?? process.platform}).\n`,
      );
      this.skip();
    }
    postgres = await startEmbeddedPostgres({ dataDirectory: join(disk, 'postgres'), log: SILENT_LOG });
    countersign = await createTestHost({
      shareDataWith: {
        database: { connectionString: postgres.connectionString, drop: () => Promise.resolve() },
        dataDirectory: directory,
      },
    });
    await countersign.deploy(approvalModel('full'));
  });

  after(async () => {
    await countersign?.close();
    await postgres?.stop();
    if (isMounted) spawnSync('umount', ['--lazy', disk]);
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  });

  const requireServer = (): TestHost => countersign ?? expect.fail('The server did not start.');

  async function call(path: string, init: RequestInit = {}): Promise<Response> {
    const authorization = `Bearer ${await requireServer().token('admin')}`;
    return fetch(`${requireServer().url}${path}`, {
      ...init,
      headers: { authorization, 'content-type': 'application/json', ...init.headers },
    });
  }

  const startRun = (inputs: object): Promise<Response> =>
    call('/api/runs', { method: 'POST', body: JSON.stringify({ workflowId: 'full', inputs }) });

  const ballastPath = (): string => join(disk, 'ballast');

  /** Fills the remaining space. Called again whenever something has freed space. */
  async function fillDisk(): Promise<void> {
    const file = await open(ballastPath(), 'a');
    try {
      for (const block of [FILL_BLOCK, FILL_BLOCK.subarray(0, 4_096)]) {
        try {
          for (;;) await file.writeFile(block);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        }
      }
    } finally {
      await file.close();
    }
  }

  it('should cause 503 responses until there is space, and keep every acknowledged run', async () => {
    // given
    const firstResponse = await startRun({});
    expect(firstResponse.status).to.equal(201);
    const acknowledgedRunIds = new Set([((await firstResponse.json()) as { runId: string }).runId]);
    const longInput = 'x'.repeat(500_000);
    const refusedResponse = await waitUntil(
      'a start is refused because the disk is full',
      async () => {
        await fillDisk();
        const response = await startRun({ text: longInput });
        if (response.status !== 201) return response;
        acknowledgedRunIds.add(((await response.json()) as { runId: string }).runId);
        return undefined;
      },
      120,
    );

    // then
    expect(refusedResponse.status, await refusedResponse.clone().text()).to.equal(503);
    expect(Number(refusedResponse.headers.get('retry-after'))).to.be.greaterThan(0);
    expect(await refusedResponse.json()).to.include({ code: 'service_unavailable', retryable: true });
    expect((await call('/api/health/live')).status).to.equal(200);
    for (const path of ['/api/runs', '/api/approvals', '/api/audit-events', '/metrics'])
      expect((await call(path)).status, path).to.be.oneOf([200, 503]);

    // when
    await rm(ballastPath());

    // then
    const laterRunId = await waitUntil(
      'a run is started again',
      async () => {
        const response = await startRun({});
        expect(response.status, await response.clone().text()).to.be.oneOf([201, 503]);
        return response.status === 201 && ((await response.json()) as { runId: string }).runId;
      },
      120,
    );
    await waitUntil('the server is ready', async () => (await call('/api/health/ready')).ok, 60);
    for (const runId of [...acknowledgedRunIds, laterRunId])
      expect((await call(`/api/runs/${runId}`)).status, runId).to.equal(200);
  });
});
