import type { Problem } from '@countersign/contract';
import { approvalModel, createMigratedTestDatabase, createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

describe('artifact directory with a disk fault', function () {
  this.timeout(120_000);

  let dataDirectory: string;
  let artifactDirectory: string;
  let database: Awaited<ReturnType<typeof createMigratedTestDatabase>>;
  let countersign: TestHost;
  let runId: string;
  let token: string;

  before(async () => {
    dataDirectory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-artifacts-'));
    artifactDirectory = join(dataDirectory, 'artifacts');
    await mkdir(artifactDirectory);
    database = await createMigratedTestDatabase();
  });

  async function startServer(): Promise<void> {
    countersign = await createTestHost({ shareDataWith: { database, dataDirectory } });
    await countersign.deploy(approvalModel('uploads'));
    token = await countersign.token('admin');
    ({ runId } = await (await countersign.client('viewer')).startRun({ body: { workflowId: 'uploads' } }));
  }

  after(async () => {
    await countersign?.close();
    spawnSync('umount', ['--lazy', artifactDirectory]);
    await database?.drop();
    await rm(dataDirectory, { recursive: true, force: true, maxRetries: 5 });
  });

  const call = (name: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${countersign.url}/api/runs/${runId}/artifacts/${name}`, {
      ...init,
      headers: { 'authorization': `Bearer ${token}`, 'content-type': 'application/octet-stream' },
    });
  const upload = (name: string, bytes: Uint8Array<ArrayBuffer> | string): Promise<Response> =>
    call(name, { method: 'POST', body: bytes });

  async function expectProblem(response: Response, status: number, code: string): Promise<void> {
    const problem = (await response.json()) as Problem;
    expect([response.status, problem.code, problem.retryable], problem.detail ?? '').to.deep.equal([
      status,
      code,
      true,
    ]);
    expect(Number(response.headers.get('retry-after'))).to.be.greaterThan(0);
    expect(problem.detail).to.contain('An operator must').and.not.contain(artifactDirectory);
  }

  it('should respond with 507 while the disk is full, and with 503 while it is read-only or unmounted', async function () {
    // given
    if (!mountSmallDisk(artifactDirectory)) {
      process.stderr.write(
        'The test of a full artifact directory is skipped: no small file system can be mounted here.\n',
      );
      this.skip();
    }
    await startServer();
    expect((await upload('kept', 'kept')).status).to.equal(201);

    // when, then
    await expectProblem(await upload('large', new Uint8Array(randomBytes(3_000_000))), 507, 'storage_full');
    expect((await call('large')).status).to.equal(404);
    expect((await upload('small', 'small')).status, 'the refused upload left nothing on the disk').to.equal(201);

    // when
    expect(spawnSync('mount', ['-o', 'remount,ro', artifactDirectory]).status).to.equal(0);

    // then
    await expectProblem(await upload('more', 'more'), 503, 'service_unavailable');
    expect(await (await call('kept')).text()).to.equal('kept');
    expect(spawnSync('mount', ['-o', 'remount,rw', artifactDirectory]).status).to.equal(0);
    expect((await upload('more', 'more')).status).to.equal(201);

    // when: the disk is unmounted, so that an empty directory is in its place
    expect(spawnSync('umount', ['--lazy', artifactDirectory]).status).to.equal(0);

    // then
    await expectProblem(await upload('again', 'again'), 503, 'service_unavailable');
    await expectProblem(await call('kept'), 503, 'service_unavailable');
    await countersign.close();
  });

  it('should respond with 503 while the directory is missing, and work again once it is restored', async () => {
    // given
    await startServer();
    expect((await upload('kept', 'kept')).status).to.equal(201);

    // when
    await rename(artifactDirectory, `${artifactDirectory}-away`);

    // then
    await expectProblem(await upload('more', 'more'), 503, 'service_unavailable');
    await expectProblem(await call('kept'), 503, 'service_unavailable');
    await rename(`${artifactDirectory}-away`, artifactDirectory);
    expect(await (await call('kept')).text()).to.equal('kept');
    expect((await upload('more', 'more')).status).to.equal(201);
  });
});

/** Mounts a disk of 2 MB. @returns whether this machine allows that */
function mountSmallDisk(directory: string): boolean {
  if (process.platform !== 'linux') return false;
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m,mode=700', 'tmpfs', directory]).status === 0;
}
