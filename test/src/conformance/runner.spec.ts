import { processModel } from '@countersign/testing';
import { expect } from 'chai';
import type { StepCase, TracedCase } from './material.js';
import { ASKING, markedTask, stepCase, TIMED, tracedCase } from './models.spec.support.js';
import { runStepCase } from './run-step-case.js';
import { runTracedCase } from './run-traced-case.js';

const UNEXECUTABLE = TIMED.replace('<bpmn:startEvent id="start" />', '');
/** No flow out of its gateway is taken. */
const STUCK = processModel(
  'stuck',
  `<bpmn:startEvent id="start" />${markedTask('one')}<bpmn:exclusiveGateway id="choice" />${markedTask('two')}<bpmn:endEvent id="end" />`,
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
      ['what is expected, with a timer in between', 'right', {}, TIMED],
      ['a marker too many', 'wrong', { expectedTrace: ['one'] }, TIMED],
      ['a marker too few', 'wrong', { expectedTrace: ['one', 'two', 'two'] }, TIMED],
      ['another order', 'wrong', { happensBefore: [['two', 'one']] }, TIMED],
      ['a run that should wait', 'wrong', { expectedStatus: 'waits' }, TIMED],
      ['a run that waits for an approval', 'wrong', { processId: 'asking', expectedTrace: [] }, ASKING],
      [
        'a run that may wait for an approval',
        'right',
        { processId: 'asking', expectedTrace: [], expectedStatus: 'waits' },
        ASKING,
      ],
      ['a run that cannot go on', 'wrong', { processId: 'stuck', expectedTrace: ['one'] }, STUCK],
      [
        'a run that must not go on',
        'right',
        {
          processId: 'stuck',
          expectedTrace: ['one'],
          expectedStatus: 'failed',
          expectedError: { kind: 'no-outgoing-flow-enabled' },
        },
        STUCK,
      ],
      [
        'another error than expected',
        'wrong',
        {
          processId: 'stuck',
          expectedTrace: ['one'],
          expectedStatus: 'failed',
          expectedError: { kind: 'uncaught-bpmn-error', code: 'ERR-1' },
        },
        STUCK,
      ],
      ['a process that is not there', 'wrong', { processId: 'nowhere' }, TIMED],
      ['a model that is not deployed', 'refused', {}, UNEXECUTABLE],
      [
        'a model that need not be deployed',
        'right',
        { expectedStatus: 'failed', deployRejectionAllowed: true },
        UNEXECUTABLE,
      ],
      ['what is no model', 'refused', {}, 'nothing'],
    ];
    for (const [title, verdict, expected, model] of cases) {
      it(`should return the verdict "${verdict}" for ${title}`, async () => {
        const result = await runTracedCase(tracedCase(expected), model);
        expect(result.verdict, result.details.join(' ')).to.equal(verdict);
        expect(result.details.length > 0).to.equal(verdict !== 'right');
      });
    }
  });

  describe('step-by-step cases', () => {
    const cases: [string, 'right' | 'wrong', StepCase['steps'], string?][] = [
      [
        'what is expected',
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
      ['another task', 'wrong', [{ expect: { second: 1 } }]],
      ['a task too many', 'wrong', [{ expect: { first: 2 } }]],
      ['a task that is not expected', 'wrong', [{ expect: {} }]],
      ['a task that does not wait', 'wrong', [{ complete: 'second', n: 1 }]],
      ['a task that is done once too often', 'wrong', [{ complete: 'first', n: 2 }]],
      ['a message that nobody waits for', 'wrong', [{ message: 'call' }]],
      ['a run that has not ended', 'wrong', [{ ended: true }]],
      ['a run that has not failed', 'wrong', [{ failed: true }]],
      ['a run that has failed', 'right', [{ failed: true }], STUCK],
      ['a run that should have ended', 'wrong', [{ ended: true }], STUCK],
      ['an error beside what is expected', 'wrong', [{ expect: {} }], STUCK],
      ['a timer that is due', 'right', [{ advance: 'PT1H1S' }, { ended: true }], TIMED],
      ['a timer that is not due', 'wrong', [{ advance: 'PT59M' }, { ended: true }], TIMED],
      ['a step that nobody knows', 'wrong', [{ jump: 'first' } as unknown as StepCase['steps'][number]]],
    ];
    for (const [title, verdict, steps, model = ASKING] of cases) {
      it(`should return the verdict "${verdict}" for ${title}`, async () => {
        const processId = /<bpmn:process id="([^"]+)"/.exec(model)?.[1];
        const result = await runStepCase({ ...stepCase(steps, processId), startVariables: { log: [] } }, model);
        expect(result.verdict, result.details.join(' ')).to.equal(verdict);
      });
    }
  });
});
