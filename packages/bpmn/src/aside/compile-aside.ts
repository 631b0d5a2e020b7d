import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { inTurns, type ModelProblem, ModelRefusedError } from '@countersign/model';
import { compileWorkflows, type CompiledFile } from '../compile-workflow.js';
import type { Finding } from '../lint/finding.js';
import { lintWorkflows } from '../lint/lint-workflows.js';
import { unpackFile, type PackedFile } from './packed-file.js';

export interface AsideRequest {
  readonly bpmnXml: string;
  /** `null`: no findings are wanted. */
  readonly lint: { readonly now: number } | null;
}

export type AsideAnswer =
  | { readonly packed: PackedFile; readonly findings: readonly Finding[] }
  | { readonly problems: readonly ModelProblem[] };

/** A compiled file, and what there is to say of it. */
export interface CheckedFile {
  readonly file: CompiledFile;
  readonly findings: readonly Finding[];
}

/** Characters from which a file is worth a thread: below, compiling takes less time than other requests notice. */
const LARGE = 100_000;

/** One large file at a time: each takes a thread and, for a moment, a hundred times its size. */
let underWay: Promise<unknown> = Promise.resolve();

/**
 * Compiles all executable processes of a file, and checks them, without holding up whoever shares the event loop: a large
 * file is compiled by another thread. The result is that of {@link compileWorkflows} and {@link lintWorkflows}.
 *
 * @throws {ModelRefusedError} with all problems found
 */
export async function checkWorkflowsAside(bpmnXml: string, lint: { readonly now: number }): Promise<CheckedFile> {
  if (bpmnXml.length >= LARGE) return inThread({ bpmnXml, lint: { now: lint.now } });
  const file = await compileWorkflows(bpmnXml);
  return { file, findings: lintWorkflows(file, lint) };
}

/** As {@link checkWorkflowsAside}, without the checks. */
export async function compileWorkflowsAside(bpmnXml: string): Promise<CompiledFile> {
  return bpmnXml.length < LARGE ? compileWorkflows(bpmnXml) : (await inThread({ bpmnXml, lint: null })).file;
}

function inThread(request: AsideRequest): Promise<CheckedFile> {
  const checked = underWay.then(() => askThread(request));
  underWay = checked.catch(() => undefined);
  return checked;
}

async function askThread(request: AsideRequest): Promise<CheckedFile> {
  const worker = new Worker(new URL('./compile-aside-worker.js', import.meta.url), {
    execArgv: [],
    env: {},
    workerData: request,
  });
  try {
    const [answer] = (await Promise.race([once(worker, 'message'), endOf(worker)])) as [AsideAnswer];
    if ('problems' in answer) throw new ModelRefusedError(answer.problems);
    return { file: await inTurns(unpackFile(answer.packed)), findings: answer.findings };
  } finally {
    void worker.terminate();
  }
}

/** A thread that ends without an answer, or an error, must not keep all later files waiting. */
async function endOf(worker: Worker): Promise<never> {
  const [code] = (await once(worker, 'exit')) as [number];
  throw new Error(`The thread that compiles models ended without an answer, with the exit code ${code}.`);
}
