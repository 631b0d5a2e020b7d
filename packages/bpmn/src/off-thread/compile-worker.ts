import { parentPort, workerData } from 'node:worker_threads';
import { isModelRefusedError } from '@countersign/model';
import { compileWorkflows } from '../compile-workflow.js';
import { compileRequirements, unlinkRequirements } from '../dmn/compile-decisions.js';
import { lintWorkflows } from '../lint/lint-workflows.js';
import type { CompileResponse, CompileRequest, CompileResults } from './compile-in-thread.js';
import { pack } from './packed.js';

// Entry point of the thread that `compile-in-thread.ts` starts for one file.
const request = workerData as CompileRequest;

async function compileRequest(): Promise<CompileResults[keyof CompileResults]> {
  if (request.kind === 'decisions') return unlinkRequirements(await compileRequirements(request.dmnXml));
  const file = await compileWorkflows(request.bpmnXml, { isDeployed: request.lint === null });
  return { file, findings: request.lint === null ? [] : lintWorkflows(file, request.lint) };
}

async function buildResponse(): Promise<CompileResponse> {
  try {
    return { packed: pack(await compileRequest()) };
  } catch (error) {
    if (isModelRefusedError(error)) return { problems: error.problems };
    throw error;
  }
}

parentPort?.postMessage(await buildResponse());
