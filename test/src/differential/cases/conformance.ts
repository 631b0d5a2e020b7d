import type { JsonObject } from '@countersign/core/plugin';
import { adaptModel, CONFORMANCE_JOB, CORRELATION_KEY } from '../../conformance/adapt-model.js';
import { asUtf8 } from '../../conformance/as-utf-8.js';
import {
  readMaterial,
  whyNoMaterial,
  type CaseStep,
  type Material,
  type StepCase,
  type TracedCase,
} from '../../conformance/material.js';
import { inputsOf } from '../../conformance/run-step-case.js';
import type { DifferentialCase } from '../case.js';
import { WORK } from '../held-jobs.js';
import type { Step } from '../side.js';

/** Prefix of the ids of these cases. */
export const CONFORMANCE_PREFIX = 'conformance: ';

/** Matches models whose runs could be started by other cases. */
const BEGINS_BY_ITSELF =
  /<bpmn:startEvent\b[^>]*[^/]>(?:(?!<\/bpmn:startEvent>)[\s\S])*EventDefinition|\binstantiate="true"/;

/** Returns the public conformance models, run on both engines; none if they are missing. */
export function conformanceCases(): readonly DifferentialCase[] {
  if (whyNoMaterial() !== undefined) return [];
  const material = readMaterial();
  return [
    ...material.traced.map((each) => tracedCase(material, each)),
    ...material.steps.map((each) => stepCase(material, each)),
  ];
}

function tracedCase(
  material: Material,
  { id, bpmnFile, processId, preStart, startVariables }: TracedCase,
): DifferentialCase {
  const before = preStart.map((started): Step => ({ start: started, variables: { log: [] } }));
  return made(material, id, bpmnFile, [
    ...before,
    { start: processId, variables: { ...startVariables, log: [] } },
    { runOut: 'timers' },
  ]);
}

function stepCase(material: Material, expected: StepCase): DifferentialCase {
  const { id, bpmnFile, processId, steps } = expected;
  const done = steps.flatMap((step): Step[] => doneIn(step).flatMap((each) => [each, { runOut: 'jobs' }]));
  return made(material, id, bpmnFile, [
    { start: processId, variables: inputsOf(expected) },
    { runOut: 'jobs' },
    ...done,
  ]);
}

function doneIn(step: CaseStep): Step[] {
  if ('complete' in step) return Array.from({ length: step.n }, () => ({ approve: step.complete }));
  if ('advance' in step) return [{ advance: step.advance }];
  return 'message' in step ? [{ message: step.message, key: CORRELATION_KEY, variables: {} as JsonObject }] : [];
}

function made(material: Material, id: string, bpmnFile: string, steps: readonly Step[]): DifferentialCase {
  const bpmnXml = adaptModel(asUtf8(material.model(bpmnFile))).replaceAll(
    `type="${CONFORMANCE_JOB}"`,
    `type="${WORK}"`,
  );
  return {
    id: `${CONFORMANCE_PREFIX}${id}`,
    bpmnXml,
    steps,
    ...(BEGINS_BY_ITSELF.test(bpmnXml) ? { alone: true } : {}),
  };
}
