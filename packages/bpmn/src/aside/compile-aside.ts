import type { DecisionGraph } from '@countersign/model';
import { compileWorkflows, type CompiledFile } from '../compile-workflow.js';
import { compileDecisions, decisionGraphOf, linked } from '../dmn/compile-decisions.js';
import { lintWorkflows } from '../lint/lint-workflows.js';
import { type CheckedFile, inThread } from './in-thread.js';

export type { CheckedFile };

/** Characters from which a file is worth a thread: below, compiling takes less time than other requests notice. */
const LARGE = 32_768;

/**
 * Compiles all executable processes of a file, and checks them, without holding up whoever shares the event loop: a large
 * file is compiled by another thread. The result is that of {@link compileWorkflows} and {@link lintWorkflows}.
 *
 * @throws {ModelRefusedError} with all problems found
 */
export async function checkWorkflowsAside(bpmnXml: string, lint: { readonly now: number }): Promise<CheckedFile> {
  if (bpmnXml.length >= LARGE) return inThread({ kind: 'workflows', bpmnXml, lint: { now: lint.now } });
  const file = await compileWorkflows(bpmnXml);
  return { file, findings: lintWorkflows(file, lint) };
}

/** Compiles the file of a version that is deployed, as {@link checkWorkflowsAside} does, without the checks. */
export async function compileWorkflowsAside(bpmnXml: string): Promise<CompiledFile> {
  return bpmnXml.length < LARGE
    ? compileWorkflows(bpmnXml, { isDeployed: true })
    : (await inThread({ kind: 'workflows', bpmnXml, lint: null })).file;
}

/** As {@link compileDecisions}, without holding up whoever shares the event loop. @throws {ModelRefusedError} with all problems found */
export async function compileDecisionsAside(dmnXml: string): Promise<DecisionGraph> {
  return dmnXml.length < LARGE
    ? compileDecisions(dmnXml)
    : decisionGraphOf(linked(await inThread({ kind: 'decisions', dmnXml })));
}
