import { processModel } from '@countersign/testing';
import type { StepCase, TracedCase } from './material.js';

/** A script task with a marker, as in the cases. */
export function markedTask(id: string, marker = id): string {
  return (
    `<bpmn:scriptTask id="${id}"><bpmn:extensionElements><c:marker xmlns:c="urn:exec-corpus:1" value="${marker}"/>` +
    `<zeebe:script expression="=append(log, &quot;${marker}&quot;)" resultVariable="log"/></bpmn:extensionElements></bpmn:scriptTask>`
  );
}

/** Two tasks in sequence, with a timer of an hour between them. */
export const TIMER_MODEL = processModel(
  'timed',
  `<bpmn:startEvent id="start" />${markedTask('one')}<bpmn:intermediateCatchEvent id="hour"><bpmn:timerEventDefinition>` +
    `<bpmn:timeDuration xsi:type="bpmn:tFormalExpression">PT1H</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:intermediateCatchEvent>${markedTask('two')}<bpmn:endEvent id="end" />`,
  'start > one',
  'one > hour',
  'hour > two',
  'two > end',
);

/** A waiting task, then a message, then another waiting task. */
export const USER_TASK_MODEL = processModel(
  'asking',
  '<bpmn:startEvent id="start" /><bpmn:userTask id="first" /><bpmn:receiveTask id="receive" messageRef="called" /><bpmn:userTask id="second" /><bpmn:endEvent id="end" />',
  'start > first',
  'first > receive',
  'receive > second',
  'second > end',
).replace('<bpmn:process ', '<bpmn:message id="called" name="call"/><bpmn:process ');

export function tracedCase(overrides: Partial<TracedCase> = {}): TracedCase {
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

export function stepCase(steps: StepCase['steps'], processId = 'asking'): StepCase {
  return { id: processId, group: 'own', tier: 'core', bpmnFile: '', processId, startVariables: {}, steps };
}
