import { parentPort, workerData } from 'node:worker_threads';
import { isModelRefusedError } from '@countersign/model';
import { compileWorkflows } from '../compile-workflow.js';
import { lintWorkflows } from '../lint/lint-workflows.js';
import type { AsideAnswer, AsideRequest } from './compile-aside.js';
import { packFile } from './packed-file.js';

// The thread that `compile-aside.ts` starts for one file.
const { bpmnXml, lint } = workerData as AsideRequest;

async function answer(): Promise<AsideAnswer> {
  try {
    const file = await compileWorkflows(bpmnXml);
    const findings = lint === null ? [] : lintWorkflows(file, lint);
    return { packed: packFile(file), findings };
  } catch (error) {
    if (isModelRefusedError(error)) return { problems: error.problems };
    throw error;
  }
}

parentPort?.postMessage(await answer());
