/** Engine of one of several servers that share a database, without HTTP. */
import 'reflect-metadata';
import { openEngine, type EngineUnderTest } from '../workload/engine-under-test.js';
import { type CloseRequest, serveRequests } from './requests.js';
import type { WorkloadRequest } from './workload-requests.js';

let engine: EngineUnderTest | undefined;

serveRequests<WorkloadRequest | CloseRequest>(async (request) => {
  if (request.type === 'open') {
    engine = await openEngine(request.connectionString);
    return;
  }
  if (request.type === 'close') {
    await engine?.close();
    return;
  }
  if (engine === undefined) throw new Error('The server is not open. Send the request "open" first.');
  await engine.completeRuns(request.runs, request.inFlight);
});
