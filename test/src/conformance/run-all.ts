import { mapConcurrently } from './map-concurrently.js';
import type { Material } from './material.js';
import { runConstraints, runExchanged } from './run-models.js';
import { runStepCase } from './run-step-case.js';
import { runTracedCase } from './run-traced-case.js';
import type { CaseResult } from './verdict.js';

/** Number of concurrent hosts: while one waits for the database, another one computes. */
const MAX_CONCURRENCY = 3;

export interface Results {
  readonly traced: readonly CaseResult[];
  readonly steps: readonly CaseResult[];
  readonly constraints: readonly CaseResult[];
  readonly exchanged: readonly CaseResult[];
}

export function runTraced({ traced, model }: Pick<Material, 'traced' | 'model'>): Promise<CaseResult[]> {
  return mapConcurrently(traced, MAX_CONCURRENCY, (each) => runTracedCase(each, model(each.bpmnFile).toString('utf8')));
}

export function runSteps({ steps, model }: Pick<Material, 'steps' | 'model'>): Promise<CaseResult[]> {
  return mapConcurrently(steps, MAX_CONCURRENCY, (each) => runStepCase(each, model(each.bpmnFile).toString('utf8')));
}

export async function runAll(material: Material): Promise<Results> {
  return {
    traced: await runTraced(material),
    steps: await runSteps(material),
    constraints: await runConstraints(material),
    exchanged: await runExchanged(material),
  };
}
