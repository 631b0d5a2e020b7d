import { parentPort, workerData } from 'node:worker_threads';
import { isModelRefusedError } from '@countersign/model';
import { compileWorkflows } from '../compile-workflow.js';
import { compileRequirements, unlinked } from '../dmn/compile-decisions.js';
import { lintWorkflows } from '../lint/lint-workflows.js';
import type { AsideAnswer, AsideRequest, AsideResults } from './in-thread.js';
import { pack } from './packed.js';

// Entry point of the thread that `in-thread.ts` starts for one file.
const request = workerData as AsideRequest;

async function compiled(): Promise<AsideResults[keyof AsideResults]> {
  if (request.kind === 'decisions') return unlinked(await compileRequirements(request.dmnXml));
  const file = await compileWorkflows(request.bpmnXml, { isDeployed: request.lint === null });
  return { file, findings: request.lint === null ? [] : lintWorkflows(file, request.lint) };
}

async function answer(): Promise<AsideAnswer> {
  try {
    return { packed: pack(await compiled()) };
  } catch (error) {
    if (isModelRefusedError(error)) return { problems: error.problems };
    throw error;
  }
}

parentPort?.postMessage(await answer());
