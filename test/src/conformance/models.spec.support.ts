import { processModel } from '@countersign/testing';
import type { StepCase, TracedCase } from './material.js';

/** Returns a script task with a marker, in the format of the cases. */
export function buildMarkedTask(id: string, marker = id): string {
  return (
    `<bpmn:scriptTask id="${id}"><bpmn:extensionElements><c:marker xmlns:c="urn:exec-corpus:1" value="${marker}"/>` +
    `<zeebe:script expression="=append(log, &quot;${marker}&quot;)" resultVariable="log"/></bpmn:extensionElements></bpmn:scriptTask>`
  );
}

/** Two tasks in sequence, with a one-hour timer between them. */
export const TIMER_MODEL = processModel(
  'timed',
  `<bpmn:startEvent id="start" />${buildMarkedTask('one')}<bpmn:intermediateCatchEvent id="hour"><bpmn:timerEventDefinition>` +
    `<bpmn:timeDuration xsi:type="bpmn:tFormalExpression">PT1H</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:intermediateCatchEvent>${buildMarkedTask('two')}<bpmn:endEvent id="end" />`,
  'start > one',
  'one > hour',
  'hour > two',
  'two > end',
);

/** Two user tasks in sequence, with a receive task between them. */
export const USER_TASK_MODEL = processModel(
  'asking',
  '<bpmn:startEvent id="start" /><bpmn:userTask id="first" /><bpmn:receiveTask id="receive" messageRef="called" /><bpmn:userTask id="second" /><bpmn:endEvent id="end" />',
  'start > first',
  'first > receive',
  'receive > second',
  'second > end',
).replace('<bpmn:process ', '<bpmn:message id="called" name="call"/><bpmn:process ');

export function buildTracedCase(overrides: Partial<TracedCase> = {}): TracedCase {
  return {
    id: 'timed',
    group: 'own',
    tier: 'core',
    bpmnFile: '',
    processId: 'timed',
    startVariables: {},
    preStart: [],
    expectedTrace: ['one', 'two'],
    traceMode: 'multiset',
    requiredMarkers: [],
    ignoredMarkers: [],
    setMarkers: [],
    optionalMarkers: [],
    expectedStatus: 'completed',
    happensBefore: [['one', 'two']],
    allBefore: [],
    ...overrides,
  };
}

export function buildStepCase(steps: StepCase['steps'], processId = 'asking'): StepCase {
  return { id: processId, group: 'own', tier: 'core', bpmnFile: '', processId, startVariables: {}, steps };
}
