import type { DmnDecisionGraph } from '@countersign/model';
import { compileWorkflows, type CompiledFile } from '../compile-workflow.js';
import { compileDecisions, toDecisionGraph, linkRequirements } from '../dmn/compile-decisions.js';
import { lintWorkflows } from '../lint/lint-workflows.js';
import { type CheckedFile, compileInThread } from './compile-in-thread.js';

export type { CheckedFile };

/**
 * Minimum length in characters for compiling in a thread: shorter files compile without a noticeable delay for other
 * requests.
 */
const MIN_THREAD_CHARACTERS = 32_768;

/**
 * Compiles and checks all executable processes of a file without blocking the event loop: a large file is compiled in
 * another thread. The result is that of {@link compileWorkflows} and {@link lintWorkflows}.
 *
 * @throws {ModelRefusedError} with all problems found
 */
export async function checkWorkflowsOffThread(bpmnXml: string, lint: { readonly now: number }): Promise<CheckedFile> {
  if (bpmnXml.length >= MIN_THREAD_CHARACTERS)
    return compileInThread({ kind: 'workflows', bpmnXml, lint: { now: lint.now } });
  const file = await compileWorkflows(bpmnXml);
  return { file, findings: lintWorkflows(file, lint) };
}

/** Compiles the file of a deployed version like {@link checkWorkflowsOffThread}, but without the checks. */
export async function compileWorkflowsOffThread(bpmnXml: string): Promise<CompiledFile> {
  return bpmnXml.length < MIN_THREAD_CHARACTERS
    ? compileWorkflows(bpmnXml, { isDeployed: true })
    : (await compileInThread({ kind: 'workflows', bpmnXml, lint: null })).file;
}

/**
 * Works like {@link compileDecisions}, but does not block the event loop.
 *
 * @throws {ModelRefusedError} with all problems found
 */
export async function compileDecisionsOffThread(dmnXml: string): Promise<DmnDecisionGraph> {
  return dmnXml.length < MIN_THREAD_CHARACTERS
    ? compileDecisions(dmnXml)
    : toDecisionGraph(linkRequirements(await compileInThread({ kind: 'decisions', dmnXml })));
}
