import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { inTurns, type ModelProblem, ModelRefusedError } from '@countersign/model';
import type { CompiledFile } from '../compile-workflow.js';
import type { UnlinkedRequirements } from '../dmn/compile-decisions.js';
import type { Finding } from '../lint/finding.js';
import { type Packed, unpack } from './packed.js';

/** A compiled file with its findings. */
export interface CheckedFile {
  readonly file: CompiledFile;
  readonly findings: readonly Finding[];
}

export type AsideRequest =
  | {
      readonly kind: 'workflows';
      readonly bpmnXml: string;
      /** `null`: the file is deployed, and no findings are needed. */
      readonly lint: { readonly now: number } | null;
    }
  | { readonly kind: 'decisions'; readonly dmnXml: string };

export interface AsideResults {
  readonly workflows: CheckedFile;
  readonly decisions: UnlinkedRequirements;
}

export type AsideAnswer =
  { readonly packed: Packed<AsideResults[keyof AsideResults]> } | { readonly problems: readonly ModelProblem[] };

/** Compiles one file at a time: each needs a thread and, briefly, memory of a hundred times its size. */
let underWay: Promise<unknown> = Promise.resolve();

/**
 * Compiles a file in another thread.
 *
 * @throws {ModelRefusedError} with all problems found
 */
export function inThread<R extends AsideRequest>(request: R): Promise<AsideResults[R['kind']]> {
  const answered = underWay.then(() => askThread(request));
  underWay = answered.catch(() => undefined);
  return answered as Promise<AsideResults[R['kind']]>;
}

async function askThread(request: AsideRequest): Promise<AsideResults[keyof AsideResults]> {
  const worker = new Worker(new URL('./compile-aside-worker.js', import.meta.url), {
    execArgv: [],
    env: {},
    workerData: request,
  });
  try {
    const [answer] = (await Promise.race([once(worker, 'message'), endOf(worker)])) as [AsideAnswer];
    if ('problems' in answer) throw new ModelRefusedError(answer.problems);
    return await inTurns(unpack(answer.packed));
  } finally {
    void worker.terminate();
  }
}

/** Rejects when the thread exits. A thread that exits without a result or an error must not block all later files. */
async function endOf(worker: Worker): Promise<never> {
  const [code] = (await once(worker, 'exit')) as [number];
  throw new Error(`The thread that compiles BPMN and DMN models exited with code ${code} and returned no result.`);
}
