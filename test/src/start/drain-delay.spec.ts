import { createClient } from '@countersign/contract';
import { createMiddleware, mintDevToken } from '@countersign/server';
import {
  createMigratedTestDatabase,
  createTestHost,
  processModel,
  type TestDatabase,
  type TestHost,
  waitUntil,
} from '@countersign/testing';
import { expect } from 'chai';
import Koa from 'koa';
import { once } from 'node:events';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer, type RunningServer } from '../cli/cli.spec.support.js';

const MODEL = processModel(
  'ask',
  '<bpmn:startEvent id="start" /><bpmn:userTask id="ok" name="OK?" /><bpmn:endEvent id="end" />',
  'start > ok',
  'ok > end',
);

const getReadyStatus = async (url: string): Promise<number> => (await fetch(`${url}/api/health/ready`)).status;

describe('Server:DrainDelay', function () {
  this.timeout(120_000);

  describe('for middleware in a Koa application', () => {
    let host: TestHost;
    let server: Server;

    beforeEach(async () => {
      host = await createTestHost({ configuration: { Server: { DrainDelay: 'PT10M' } } });
    });

    afterEach(async () => {
      server.close();
      server.closeAllConnections();
      await host.close();
    });

    it('should report not ready, close each connection after its response and end streams after the delay', async () => {
      // given
      const countersign = createMiddleware(host.host, { prefix: '/countersign' });
      server = createServer(new Koa().use(countersign).callback()).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/countersign`;
      await host.deploy(MODEL);
      const token = await host.token('operator');
      const stream = await fetch(`${url}/api/events`, {
        headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
      });
      const responseBefore = await fetch(`${url}/api/health/live`);
      await waitUntil('the server is ready', async () => (await getReadyStatus(url)) === 200);
      expect(responseBefore.headers.get('connection')).to.equal('keep-alive');

      // when
      const drained = countersign.drain();

      // then
      const liveResponse = await fetch(`${url}/api/health/live`);
      expect([await getReadyStatus(url), liveResponse.status, liveResponse.headers.get('connection')]).to.deep.equal([
        503,
        200,
        'close',
      ]);
      const client = createClient({ baseUrl: url, token });
      const { runId } = await client.startRun({ body: { workflowId: 'ask' } });
      expect(await client.getRun({ runId })).to.include({ status: 'blocked' });

      const chunks = readChunks(stream);
      let receivedText = '';
      while (!receivedText.includes(runId))
        receivedText += (await chunks.next()).value ?? expect.fail('The stream ended with the drain.');

      // when
      countersign.close();

      // then
      await drained;
      for await (const _ of chunks);
    });
  });

  describe('for the countersign command', () => {
    let directory: string;
    let database: TestDatabase;
    let server: RunningServer | undefined;

    beforeEach(async () => {
      directory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-delay-'));
      database = await createMigratedTestDatabase();
    });

    afterEach(async () => {
      await server?.end('SIGKILL');
      await database.drop();
      await rm(directory, { recursive: true, force: true });
    });

    it('should end immediately on a second signal', async () => {
      // given
      const settings = [
        '--set',
        'Server:DrainDelay=PT10M',
        '--set',
        `Storage:Postgres:ConnectionString=${database.connectionString}`,
      ];
      const runningServer = (server = await startServer(['--data', directory, ...settings], { cwd: directory }));
      process.kill(runningServer.pid, 'SIGTERM');
      await waitUntil('the server is not ready', async () => (await getReadyStatus(runningServer.url)) === 503);
      const { token } = await mintDevToken({ dataDirectory: directory, subject: 'vera', role: 'viewer' });
      expect((await createClient({ baseUrl: runningServer.url, token }).listRuns()).items).to.deep.equal([]);

      // when: a second signal that comes within a second counts as an echo of the first
      await waitUntil('the process has ended', async () => !sendSignal(runningServer.pid, 'SIGTERM'));

      // then
      expect(await runningServer.end('SIGTERM')).to.deep.equal({ code: 1, signal: null });
      expect(runningServer.output()).to.contain('served for another 600 s').and.contain('Stopped by force');
    });
  });
});

async function* readChunks({ body }: Response): AsyncGenerator<string, undefined> {
  if (body !== null) for await (const chunk of body.pipeThrough(new TextDecoderStream())) yield chunk;
  return undefined;
}

/** Sends a signal to a process. @returns whether the process exists */
function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
