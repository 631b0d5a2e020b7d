import type { JsonObject } from '@countersign/core/plugin';
import { adaptModel, CONFORMANCE_JOB, CORRELATION_KEY } from '../../conformance/adapt-model.js';
import { decodeXml } from '../../conformance/decode-xml.js';
import {
  readMaterial,
  explainMissingMaterial,
  type CaseStep,
  type Material,
  type StepCase,
  type TracedCase,
} from '../../conformance/material.js';
import { collectInputs } from '../../conformance/run-step-case.js';
import type { DifferentialCase } from '../case.js';
import { HELD_JOB_TYPE } from '../model-text.js';
import type { Step } from '../side.js';

/** Prefix of the ids of these cases. */
export const CONFORMANCE_PREFIX = 'conformance: ';

/** Matches models whose runs could be started by other cases. */
const HAS_EVENT_START =
  /<bpmn:startEvent\b[^>]*[^/]>(?:(?!<\/bpmn:startEvent>)[\s\S])*EventDefinition|\binstantiate="true"/;

/** Returns cases for the public conformance models; an empty list if the models are missing. */
export function conformanceCases(): readonly DifferentialCase[] {
  if (explainMissingMaterial() !== undefined) return [];
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
  const preStartSteps = preStart.map((preStartId): Step => ({ start: preStartId, variables: { log: [] } }));
  return buildCase(material, id, bpmnFile, [
    ...preStartSteps,
    { start: processId, variables: { ...startVariables, log: [] } },
    { runOut: 'timers' },
  ]);
}

function stepCase(material: Material, expected: StepCase): DifferentialCase {
  const { id, bpmnFile, processId, steps } = expected;
  const caseSteps = steps.flatMap((step): Step[] => toSteps(step).flatMap((each) => [each, { runOut: 'jobs' }]));
  return buildCase(material, id, bpmnFile, [
    { start: processId, variables: collectInputs(expected) },
    { runOut: 'jobs' },
    ...caseSteps,
  ]);
}

function toSteps(step: CaseStep): Step[] {
  if ('complete' in step) return Array.from({ length: step.n }, () => ({ approve: step.complete }));
  if ('advance' in step) return [{ advance: step.advance }];
  return 'message' in step ? [{ message: step.message, key: CORRELATION_KEY, variables: {} as JsonObject }] : [];
}

function buildCase(material: Material, id: string, bpmnFile: string, steps: readonly Step[]): DifferentialCase {
  const bpmnXml = adaptModel(decodeXml(material.model(bpmnFile))).replaceAll(
    `type="${CONFORMANCE_JOB}"`,
    `type="${HELD_JOB_TYPE}"`,
  );
  return {
    id: `${CONFORMANCE_PREFIX}${id}`,
    bpmnXml,
    steps,
    ...(HAS_EVENT_START.test(bpmnXml) ? { alone: true } : {}),
  };
}
