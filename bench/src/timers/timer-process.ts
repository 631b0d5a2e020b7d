/** Engine of one of several servers that share a database, without HTTP. */
import 'reflect-metadata';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { artifactsFilesystemPlugin } from '@countersign/artifacts-filesystem';
import { createHost, EnginePort, type Host, type RequestContext } from '@countersign/core';
import { engineEmbeddedPlugin } from '@countersign/engine-embedded';
import { policyCedarPlugin } from '@countersign/policy-cedar';
import { storagePostgresPlugin } from '@countersign/storage-postgres';
import { benchLog } from '../workload/bench-log.js';
import { type CloseRequest, serveRequests } from '../servers/requests.js';
import { runConcurrently } from '../workload/run-concurrently.js';
import type { TimerRequest } from './timer-requests.js';

const IN_FLIGHT = 64;
const context: RequestContext = {
  actor: { type: 'user', id: 'admin', name: null, groups: [] },
  from: null,
  traceId: null,
};

let server: { readonly host: Host; readonly dataDirectory: string } | undefined;

serveRequests<TimerRequest | CloseRequest>(async (request) => {
  if (request.type === 'open') {
    const dataDirectory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-bench-timers-'));
    const host = createHost({
      plugins: [storagePostgresPlugin, artifactsFilesystemPlugin, policyCedarPlugin, engineEmbeddedPlugin],
      configuration: {
        defaults: {
          Data: { Directory: dataDirectory },
          Storage: { Postgres: { ConnectionString: request.connectionString } },
        },
      },
      logger: benchLog,
    });
    await host.start();
    server = { host, dataDirectory };
    return;
  }
  if (request.type === 'close') {
    await server?.host.stop();
    if (server !== undefined) await rm(server.dataDirectory, { recursive: true, force: true });
    return;
  }
  if (server === undefined) throw new Error('The server is not open. Send the request "open" first.');
  const engine = server.host.get(EnginePort);
  if (request.type === 'deploy') await engine.deploy({ bpmnXml: request.bpmnXml, context });
  else {
    const { workflowId, dueAt } = request;
    await runConcurrently(request.runs, IN_FLIGHT, async () => {
      await engine.startRun({ workflowId, inputs: { dueAt }, businessKey: null, context, respond: () => ({}) });
    });
  }
});
