import { processModel } from '@countersign/testing';
import { expect } from 'chai';
import type { StepCase, TracedCase } from './material.js';
import {
  USER_TASK_MODEL,
  buildMarkedTask,
  buildStepCase,
  TIMER_MODEL,
  buildTracedCase,
} from './models.spec.support.js';
import { runStepCase } from './run-step-case.js';
import { runTracedCase } from './run-traced-case.js';

const UNEXECUTABLE_MODEL = TIMER_MODEL.replace('<bpmn:startEvent id="start" />', '');
/** BPMN model with a gateway whose outgoing flows all have false conditions. */
const STUCK_MODEL = processModel(
  'stuck',
  `<bpmn:startEvent id="start" />${buildMarkedTask('one')}<bpmn:exclusiveGateway id="choice" />${buildMarkedTask('two')}<bpmn:endEvent id="end" />`,
  'start > one',
  'one > choice',
  'choice > two',
  'choice > end',
  'two > end',
).replace(
  /(sourceRef="choice" targetRef="\w+") \/>/g,
  '$1><bpmn:conditionExpression>=false</bpmn:conditionExpression></bpmn:sequenceFlow>',
);

describe('Conformance: the runner', () => {
  describe('cases judged by their markers', () => {
    const cases: [string, 'right' | 'refused' | 'wrong', Partial<TracedCase>, string][] = [
      ['the expected trace with a timer in between', 'right', {}, TIMER_MODEL],
      ['an additional marker', 'wrong', { expectedTrace: ['one'] }, TIMER_MODEL],
      ['a missing marker', 'wrong', { expectedTrace: ['one', 'two', 'two'] }, TIMER_MODEL],
      ['a different order', 'wrong', { happensBefore: [['two', 'one']] }, TIMER_MODEL],
      ['a run that should wait', 'wrong', { expectedStatus: 'waits' }, TIMER_MODEL],
      ['a run that waits for an approval', 'wrong', { processId: 'asking', expectedTrace: [] }, USER_TASK_MODEL],
      [
        'a run that may wait for an approval',
        'right',
        { processId: 'asking', expectedTrace: [], expectedStatus: 'waits' },
        USER_TASK_MODEL,
      ],
      ['a run that cannot continue', 'wrong', { processId: 'stuck', expectedTrace: ['one'] }, STUCK_MODEL],
      [
        'a run that must fail and does',
        'right',
        {
          processId: 'stuck',
          expectedTrace: ['one'],
          expectedStatus: 'failed',
          expectedError: { kind: 'no-outgoing-flow-enabled' },
        },
        STUCK_MODEL,
      ],
      [
        'an unexpected error',
        'wrong',
        {
          processId: 'stuck',
          expectedTrace: ['one'],
          expectedStatus: 'failed',
          expectedError: { kind: 'uncaught-bpmn-error', code: 'ERR-1' },
        },
        STUCK_MODEL,
      ],
      ['a process that does not exist', 'wrong', { processId: 'nowhere' }, TIMER_MODEL],
      ['a BPMN model that is refused', 'refused', {}, UNEXECUTABLE_MODEL],
      [
        'a BPMN model that may be refused',
        'right',
        { expectedStatus: 'failed', deployRejectionAllowed: true },
        UNEXECUTABLE_MODEL,
      ],
      ['a file that is not a BPMN model', 'refused', {}, 'nothing'],
    ];
    for (const [title, verdict, expected, model] of cases) {
      it(`should return the verdict "${verdict}" for ${title}`, async () => {
        const result = await runTracedCase(buildTracedCase(expected), model);
        expect(result.verdict, result.details.join(' ')).to.equal(verdict);
        expect(result.details.length > 0).to.equal(verdict !== 'right');
      });
    }
  });

  describe('step-by-step cases', () => {
    const cases: [string, 'right' | 'wrong', StepCase['steps'], string?][] = [
      [
        'the expected steps',
        'right',
        [
          { expect: { first: 1 } },
          { complete: 'first', n: 1 },
          { expect: {} },
          { message: 'call' },
          { expect: { second: 1 } },
          { complete: 'second', n: 1 },
          { ended: true },
        ],
      ],
      ['a different task', 'wrong', [{ expect: { second: 1 } }]],
      ['an additional task', 'wrong', [{ expect: { first: 2 } }]],
      ['an unexpected task', 'wrong', [{ expect: {} }]],
      ['a task that does not wait', 'wrong', [{ complete: 'second', n: 1 }]],
      ['a task that is completed too often', 'wrong', [{ complete: 'first', n: 2 }]],
      ['a message that the run does not wait for', 'wrong', [{ message: 'call' }]],
      ['a run that has not ended', 'wrong', [{ ended: true }]],
      ['a run that has not failed', 'wrong', [{ failed: true }]],
      ['a run that has failed', 'right', [{ failed: true }], STUCK_MODEL],
      ['a run that should have ended', 'wrong', [{ ended: true }], STUCK_MODEL],
      ['an unexpected error of the run', 'wrong', [{ expect: {} }], STUCK_MODEL],
      ['a timer that is due', 'right', [{ advance: 'PT1H1S' }, { ended: true }], TIMER_MODEL],
      ['a timer that is not due', 'wrong', [{ advance: 'PT59M' }, { ended: true }], TIMER_MODEL],
      ['an unknown step', 'wrong', [{ jump: 'first' } as unknown as StepCase['steps'][number]]],
    ];
    for (const [title, verdict, steps, model = USER_TASK_MODEL] of cases) {
      it(`should return the verdict "${verdict}" for ${title}`, async () => {
        const processId = /<bpmn:process id="([^"]+)"/.exec(model)?.[1];
        const result = await runStepCase({ ...buildStepCase(steps, processId), startVariables: { log: [] } }, model);
        expect(result.verdict, result.details.join(' ')).to.equal(verdict);
      });
    }
  });
});
