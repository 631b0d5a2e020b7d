import { startEmbeddedPostgres, type EmbeddedPostgres } from '@countersign/embedded-postgres';
import { approvalModel, until } from '@countersign/testing';
import { expect } from 'chai';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer, type RunningServer } from '../cli/cli.spec.support.js';
import { HEALTH_DEADLINE_MS } from './health-deadline.spec.support.js';
import { signalPostgres } from './stopped-postgres.spec.support.js';

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

(process.platform === 'linux' ? describe : describe.skip)(
  'a PostgreSQL whose processes are stopped (SIGSTOP)',
  function () {
    this.timeout(300_000);

    let directory: string;
    let postgres: EmbeddedPostgres;
    let server: RunningServer;

    const dataOfPostgres = (): string => join(directory, 'postgres');
    const start = (): Promise<RunningServer> =>
      startServer(['--set', 'Data:Directory=data', '--set', 'Workflows:Directory=workflows'], {
        cwd: directory,
        env: { Storage__Postgres__ConnectionString: postgres.connectionString, Server__StopTimeout: 'PT10S' },
      });

    before(async () => {
      directory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-stopped-'));
      await mkdir(join(directory, 'workflows'));
      await writeFile(join(directory, 'workflows/stopped.bpmn'), approvalModel('stopped'));
      postgres = await startEmbeddedPostgres({ dataDirectory: dataOfPostgres(), log });
    });

    beforeEach(async () => {
      server = await start();
    });

    afterEach(async () => {
      await signalPostgres(dataOfPostgres(), 'SIGCONT');
      await server.end('SIGTERM');
    });

    after(async () => {
      await postgres?.stop();
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    });

    async function headersOf(role: string): Promise<Record<string, string>> {
      const answer = await fetch(`${server.url}/api/auth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ subject: role, role }),
      });
      return {
        'authorization': `Bearer ${((await answer.json()) as { access_token: string }).access_token}`,
        'content-type': 'application/json',
      };
    }

    const startRun = async (headers: Record<string, string>, key: string): Promise<Response> =>
      fetch(`${server.url}/api/runs`, {
        method: 'POST',
        headers: { ...headers, 'idempotency-key': key },
        body: '{"workflowId":"stopped"}',
      });

    const idOf = async (answer: Response): Promise<string> => ((await answer.json()) as { runId: string }).runId;

    const runIds = async (headers: Record<string, string>): Promise<string[]> =>
      ((await (await fetch(`${server.url}/api/runs`, { headers })).json()) as { items: { runId: string }[] }).items.map(
        ({ runId }) => runId,
      );

    const isReady = async (): Promise<boolean> => (await fetch(`${server.url}/api/health/ready`)).ok;

    it('should cause 503 responses to requests but not to health and metrics, until it continues', async () => {
      // given
      const headers = await headersOf('admin');
      const before = await idOf(await startRun(headers, 'before'));

      // when
      await signalPostgres(dataOfPostgres(), 'SIGSTOP');
      const requests = {
        'a start': startRun(headers, 'meanwhile'),
        'a cancellation': fetch(`${server.url}/api/runs/${before}/cancel`, {
          method: 'POST',
          headers,
          body: '{"reason":"It is not wanted any more."}',
        }),
        'an upload': fetch(`${server.url}/api/runs/${before}/artifacts/a.txt`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'text/plain' },
          body: 'x',
        }),
        'a list': fetch(`${server.url}/api/runs`, { headers }),
        'a detail': fetch(`${server.url}/api/runs/${before}`, { headers }),
      };
      const health = async (path: string): Promise<Response> =>
        fetch(`${server.url}${path}`, { headers, signal: AbortSignal.timeout(HEALTH_DEADLINE_MS) });

      // then
      expect((await health('/api/health/live')).status).to.equal(200);
      expect((await health('/api/health/ready')).status).to.equal(503);
      expect(await (await health('/api/health/engine')).json()).to.include({ status: 'fail' });
      expect(await (await health('/metrics')).text()).to.contain('countersign_messages_buffered');
      for (const [what, request] of Object.entries(requests)) {
        const answer = await request;
        expect(answer.status, `${what}: ${await answer.clone().text()}`).to.equal(503);
        expect(Number(answer.headers.get('retry-after')), what).to.be.greaterThan(0);
        expect(await answer.json(), what).to.include({ code: 'service_unavailable', retryable: true });
      }

      // when
      await signalPostgres(dataOfPostgres(), 'SIGCONT');
      await until('the server is ready again', isReady, 120);

      // then: the start of unknown outcome happened at most once, and its repetition returns the run
      const repeated = await until(
        'the start is answered',
        async () => {
          const answer = await startRun(headers, 'meanwhile');
          return answer.status === 201 && idOf(answer);
        },
        60,
      );
      expect(await runIds(headers)).to.have.members([before, repeated]);
    });

    it('should not prevent the server from exiting or lose an acknowledged run', async () => {
      // given
      const headers = await headersOf('admin');
      const acknowledged = await idOf(await startRun(headers, 'acknowledged'));

      // when
      await signalPostgres(dataOfPostgres(), 'SIGSTOP');
      const { signal } = await server.end('SIGTERM');

      // then
      expect(signal, server.output()).to.equal(null);
      await signalPostgres(dataOfPostgres(), 'SIGCONT');
      server = await start();
      expect(await runIds(await headersOf('admin'))).to.include(acknowledged);
    });
  },
);
