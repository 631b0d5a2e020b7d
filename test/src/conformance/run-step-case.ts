import type { JsonObject } from '@countersign/core/plugin';
import { adaptModel } from './adapt-model.js';
import { CaseHost, type CaseRunOptions } from './case-host.js';
import type { CaseStep, StepCase } from './material.js';
import { countValues, describeDifferences } from './multiset.js';
import { hasFailed } from './observation.js';
import { parseDuration } from './parse-duration.js';
import { toFailure, toJudgement, toRefusal, type CaseResult } from './verdict.js';

/** Deploys a model and executes its case step by step, up to the first difference. */
export async function runStepCase(
  expected: StepCase,
  model: string,
  options: CaseRunOptions = {},
): Promise<CaseResult> {
  const { id, group, tier } = expected;
  try {
    return await CaseHost.use(options, async (host) => {
      const problems = await host.deploy(adaptModel(model));
      const evaluation = problems === undefined ? toJudgement(await executeSteps(host, expected)) : toRefusal(problems);
      return { id, group, tier, ...evaluation };
    });
  } catch (error) {
    return { id, group, tier, ...toFailure(error) };
  }
}

async function executeSteps(host: CaseHost, expected: StepCase): Promise<string[]> {
  const { runId } = await host.startRun(expected.processId, collectInputs(expected));
  for (const [index, step] of expected.steps.entries()) {
    const differences = await executeStep(host, step, runId);
    if (differences.length > 0) return [`Step ${index + 1}, ${JSON.stringify(step)}: ${differences.join(' ')}`];
  }
  return [];
}

/**
 * Returns the inputs of a run. A vote cannot add variables, because its subject exists before the vote. So the
 * variables that a case sets when it completes a task are inputs from the start.
 *
 * @throws {Error} if a completed task would change a start variable
 */
export function collectInputs({ startVariables, steps }: StepCase): JsonObject {
  const taskVariables: JsonObject = Object.assign(
    {},
    ...steps.map((step) => ('complete' in step ? (step.variables ?? {}) : {})),
  ) as JsonObject;
  const changedNames = Object.keys(taskVariables).filter((name) => Object.hasOwn(startVariables, name));
  if (changedNames.length > 0) throw new Error(`A vote cannot change the variables ${changedNames.join(', ')}.`);
  return { ...startVariables, ...taskVariables };
}

async function executeStep(host: CaseHost, step: CaseStep, runId: string): Promise<string[]> {
  if ('expect' in step) return expectPending(host, step.expect);
  if ('complete' in step) return completeApprovals(host, step.complete, step.n);
  if ('advance' in step) {
    await host.advance(parseDuration(step.advance));
    return [];
  }
  if ('message' in step) {
    const receivers = await host.correlate(step.message);
    return receivers === 1 ? [] : [`Expected one receiver, found ${receivers}.`];
  }
  if ('ended' in step) return expectEnded(host, runId);
  if ('failed' in step) return (await host.listRuns()).some(hasFailed) ? [] : ['No run has failed.'];
  throw new Error(`Unknown step: ${JSON.stringify(step)}`);
}

async function expectPending(host: CaseHost, expected: Readonly<Record<string, number>>): Promise<string[]> {
  const pending = (await host.listPendingApprovals()).map(({ elementId }) => elementId);
  const differences = describeDifferences(new Map(Object.entries(expected)), countValues(pending), 'Waiting task');
  return [...differences, ...(await listErrors(host))];
}

async function completeApprovals(host: CaseHost, elementId: string, times: number): Promise<string[]> {
  for (let count = 0; count < times; count += 1) {
    if (await host.approve(elementId)) continue;
    return [`Task "${elementId}" does not wait (${count} of ${times} done).`, ...(await listErrors(host))];
  }
  return [];
}

async function expectEnded(host: CaseHost, runId: string): Promise<string[]> {
  const runs = await host.listRuns();
  const openRuns = runs
    .filter(({ outcome }) => outcome === null)
    .map(({ workflowId, status }) => `Run of "${workflowId}" has not ended (${status}).`);
  const outcome = runs.find((run) => run.runId === runId)?.outcome ?? null;
  const unexpectedOutcomes =
    outcome === null || outcome === 'completed' ? [] : [`The run has ended with the outcome "${outcome}".`];
  return [...openRuns, ...unexpectedOutcomes, ...(await listErrors(host))];
}

async function listErrors(host: CaseHost): Promise<string[]> {
  const failed = (await host.listRuns()).filter(hasFailed);
  return failed.map(
    ({ workflowId, error }) =>
      `Run of "${workflowId}" is in error: ${error?.code ?? '?'} at "${error?.elementId ?? '?'}".`,
  );
}
