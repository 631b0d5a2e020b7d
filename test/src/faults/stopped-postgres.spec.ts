import { startEmbeddedPostgres, type EmbeddedPostgres } from '@countersign/embedded-postgres';
import { approvalModel, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer, type RunningServer } from '../cli/cli.spec.support.js';
import { HEALTH_DEADLINE_MS } from './health-deadline.spec.support.js';
import { signalPostgres } from './stopped-postgres.spec.support.js';

const SILENT_LOG = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

(process.platform === 'linux' ? describe : describe.skip)(
  'a PostgreSQL whose processes are stopped (SIGSTOP)',
  function () {
    this.timeout(300_000);

    let directory: string;
    let postgres: EmbeddedPostgres;
    let server: RunningServer;

    const postgresDataDirectory = (): string => join(directory, 'postgres');
    const start = (): Promise<RunningServer> =>
      startServer(['--set', 'Data:Directory=data', '--set', 'Workflows:Directory=workflows'], {
        cwd: directory,
        env: { Storage__Postgres__ConnectionString: postgres.connectionString, Server__StopTimeout: 'PT10S' },
      });

    before(async () => {
      directory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-stopped-'));
      await mkdir(join(directory, 'workflows'));
      await writeFile(join(directory, 'workflows/stopped.bpmn'), approvalModel('stopped'));
      postgres = await startEmbeddedPostgres({ dataDirectory: postgresDataDirectory(), log: SILENT_LOG });
    });

    beforeEach(async () => {
      server = await start();
    });

    afterEach(async () => {
      await signalPostgres(postgresDataDirectory(), 'SIGCONT');
      await server.end('SIGTERM');
    });

    after(async () => {
      await postgres?.stop();
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    });

    async function createHeaders(role: string): Promise<Record<string, string>> {
      const response = await fetch(`${server.url}/api/auth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ subject: role, role }),
      });
      return {
        'authorization': `Bearer ${((await response.json()) as { access_token: string }).access_token}`,
        'content-type': 'application/json',
      };
    }

    const startRun = async (headers: Record<string, string>, key: string): Promise<Response> =>
      fetch(`${server.url}/api/runs`, {
        method: 'POST',
        headers: { ...headers, 'idempotency-key': key },
        body: '{"workflowId":"stopped"}',
      });

    const readRunId = async (response: Response): Promise<string> =>
      ((await response.json()) as { runId: string }).runId;

    const listRunIds = async (headers: Record<string, string>): Promise<string[]> =>
      ((await (await fetch(`${server.url}/api/runs`, { headers })).json()) as { items: { runId: string }[] }).items.map(
        ({ runId }) => runId,
      );

    const isReady = async (): Promise<boolean> => (await fetch(`${server.url}/api/health/ready`)).ok;

    it('should cause 503 responses to requests until it continues, while health and metrics report promptly', async () => {
      // given
      const headers = await createHeaders('admin');
      const earlierRunId = await readRunId(await startRun(headers, 'before'));

      // when
      await signalPostgres(postgresDataDirectory(), 'SIGSTOP');
      const requests = {
        'a start': startRun(headers, 'meanwhile'),
        'a cancellation': fetch(`${server.url}/api/runs/${earlierRunId}/cancel`, {
          method: 'POST',
          headers,
          body: '{"reason":"It is no longer needed."}',
        }),
        'an upload': fetch(`${server.url}/api/runs/${earlierRunId}/artifacts/a.txt`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'text/plain' },
          body: 'x',
        }),
        'a list': fetch(`${server.url}/api/runs`, { headers }),
        'a run': fetch(`${server.url}/api/runs/${earlierRunId}`, { headers }),
      };
      const fetchHealth = async (path: string): Promise<Response> =>
        fetch(`${server.url}${path}`, { headers, signal: AbortSignal.timeout(HEALTH_DEADLINE_MS) });

      // then
      expect((await fetchHealth('/api/health/live')).status).to.equal(200);
      expect((await fetchHealth('/api/health/ready')).status).to.equal(503);
      expect(await (await fetchHealth('/api/health/engine')).json()).to.include({ status: 'fail' });
      expect(await (await fetchHealth('/metrics')).text()).to.contain('countersign_messages_buffered');
      for (const [caseName, request] of Object.entries(requests)) {
        const response = await request;
        expect(response.status, `${caseName}: ${await response.clone().text()}`).to.equal(503);
        expect(Number(response.headers.get('retry-after')), caseName).to.be.greaterThan(0);
        expect(await response.json(), caseName).to.include({ code: 'service_unavailable', retryable: true });
      }

      // when
      await signalPostgres(postgresDataDirectory(), 'SIGCONT');
      await waitUntil('the server is ready again', isReady, 120);

      // then: the request of unknown outcome started at most one run, and repeating the request returns this run
      const repeatedRunId = await waitUntil(
        'the repeated start succeeds',
        async () => {
          const response = await startRun(headers, 'meanwhile');
          return response.status === 201 && readRunId(response);
        },
        60,
      );
      expect(await listRunIds(headers)).to.have.members([earlierRunId, repeatedRunId]);
    });

    it('should not prevent the server from exiting or lose an acknowledged run', async () => {
      // given
      const headers = await createHeaders('admin');
      const acknowledgedRunId = await readRunId(await startRun(headers, 'acknowledged'));

      // when
      await signalPostgres(postgresDataDirectory(), 'SIGSTOP');
      const { signal } = await server.end('SIGTERM');

      // then
      expect(signal, server.output()).to.equal(null);
      await signalPostgres(postgresDataDirectory(), 'SIGCONT');
      server = await start();
      expect(await listRunIds(await createHeaders('admin'))).to.include(acknowledgedRunId);
    });
  },
);
