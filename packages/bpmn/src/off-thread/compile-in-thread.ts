import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { runTimeSliced, type ModelProblem, ModelRefusedError } from '@countersign/model';
import type { CompiledFile } from '../compile-workflow.js';
import type { UnlinkedRequirements } from '../dmn/compile-decisions.js';
import type { Finding } from '../lint/finding.js';
import { type Packed, unpack } from './packed.js';

/** A compiled file with its findings. */
export interface CheckedFile {
  readonly file: CompiledFile;
  readonly findings: readonly Finding[];
}

export type CompileRequest =
  | {
      readonly kind: 'workflows';
      readonly bpmnXml: string;
      /** `null`: no findings are needed, because the file is already deployed. */
      readonly lint: { readonly now: number } | null;
    }
  | { readonly kind: 'decisions'; readonly dmnXml: string };

export interface CompileResults {
  readonly workflows: CheckedFile;
  readonly decisions: UnlinkedRequirements;
}

export type CompileResponse =
  { readonly packed: Packed<CompileResults[keyof CompileResults]> } | { readonly problems: readonly ModelProblem[] };

/**
 * The most recent compilation, which the next one waits for. Files are compiled one at a time, because each needs a
 * thread and, temporarily, about a hundred times its size in memory.
 */
let lastCompilation: Promise<unknown> = Promise.resolve();

/**
 * Compiles a file in another thread.
 *
 * @throws {ModelRefusedError} with all problems found
 */
export function compileInThread<R extends CompileRequest>(request: R): Promise<CompileResults[R['kind']]> {
  const result = lastCompilation.then(() => runThread(request));
  lastCompilation = result.catch(() => undefined);
  return result as Promise<CompileResults[R['kind']]>;
}

async function runThread(request: CompileRequest): Promise<CompileResults[keyof CompileResults]> {
  const worker = new Worker(new URL('./compile-worker.js', import.meta.url), {
    execArgv: [],
    env: {},
    workerData: request,
  });
  try {
    const [response] = (await Promise.race([once(worker, 'message'), rejectOnExit(worker)])) as [CompileResponse];
    if ('problems' in response) throw new ModelRefusedError(response.problems);
    return await runTimeSliced(unpack(response.packed));
  } finally {
    void worker.terminate();
  }
}

/** Rejects when the thread exits. A thread that exits without a result or an error must not block all later files. */
async function rejectOnExit(worker: Worker): Promise<never> {
  const [code] = (await once(worker, 'exit')) as [number];
  throw new Error(`The thread that compiles BPMN and DMN models exited with code ${code} and returned no result.`);
}
