/** Engine of one of several servers that share a database, without HTTP. */
import 'reflect-metadata';
import { findTemporal } from '../engines/temporal-sdk.js';
import { openEngine, type EngineUnderTest } from '../workload/engine-under-test.js';
import { type CloseRequest, serveRequests } from './requests.js';
import type { WorkloadRequest } from './workload-requests.js';

let engine: EngineUnderTest | undefined;

serveRequests<WorkloadRequest | CloseRequest>(async (request) => {
  if (request.type === 'open') {
    const { connectionString, temporal } = request;
    const options = temporal && { engine: (await findTemporal()).plugin, configuration: temporal };
    engine = await openEngine(connectionString, options);
    return;
  }
  if (request.type === 'close') {
    await engine?.close();
    return;
  }
  if (engine === undefined) throw new Error('The server is not open. Send the request "open" first.');
  if (request.type === 'run') await engine.completeRuns(request.runs, request.inFlight);
  else for (let index = 0; index < request.runs; index += 1) await engine.startRun(index);
});
