import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { artifactsFilesystemPlugin } from '@countersign/artifacts-filesystem';
import { createHost, EnginePort } from '@countersign/core';
import { engineEmbeddedPlugin } from '@countersign/engine-embedded';
import { policyCedarPlugin } from '@countersign/policy-cedar';
import { createServer, mintDevToken } from '@countersign/server';
import { storagePostgresPlugin } from '@countersign/storage-postgres';
import { benchLog } from '../workload/bench-log.js';
import { Requester } from './requester.js';

/** Server in this thread, with a client in a separate thread. */
export interface ServerUnderTest {
  post(path: string, contentType: string, body: string): Promise<string>;
  get(path: string): Promise<string>;
  /**
   * Correlates a message through the engine port, because the HTTP API has no route for it.
   *
   * @throws {Error} if the message does not correlate with exactly one run
   */
  correlate(messageName: string, correlationKey: string): Promise<void>;
  close(): Promise<void>;
}

export async function openServer(connectionString: string): Promise<ServerUnderTest> {
  const dataDirectory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-bench-server-'));
  const host = createHost({
    plugins: [storagePostgresPlugin, artifactsFilesystemPlugin, policyCedarPlugin, engineEmbeddedPlugin],
    configuration: {
      defaults: {
        Server: { Port: 0 },
        Limits: { RequestTimeout: 'PT2M' },
        Data: { Directory: dataDirectory },
        Auth: { DevToken: { Enabled: true } },
        Storage: { Postgres: { ConnectionString: connectionString } },
      },
    },
    logger: benchLog,
  });
  await host.start();
  const server = createServer(host);
  const { url } = await server.listen();
  const { token } = await mintDevToken({ dataDirectory, subject: 'admin', role: 'admin' });
  const requester = new Requester();
  const headers = { authorization: `Bearer ${token}` };
  return {
    post: (path, contentType, body) =>
      requester.send({
        url: `${url}${path}`,
        method: 'POST',
        headers: { ...headers, 'content-type': contentType },
        body,
      }),
    get: (path) => requester.send({ url: `${url}${path}`, method: 'GET', headers, body: null }),
    correlate: async (messageName, correlationKey) => {
      const actor = { type: 'user', id: 'sender', name: 'sender', groups: [] } as const;
      const context = { actor, from: null, traceId: null };
      const { runIds } = await host
        .get(EnginePort)
        .correlateMessage({ context, messageName, correlationKey, payload: {} });
      if (runIds.length !== 1)
        throw new Error(`Expected one run to wait for the message "${messageName}", but found ${runIds.length}.`);
    },
    close: async () => {
      await requester.close();
      await server.close(1_000);
      await host.stop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}
