import { expect } from 'chai';
import { approval, end, flows, job, start, TestRun } from '../interpreter.spec.support.js';
import { canRequestChanges } from './can-request-changes.js';

const boundaryEvent = (attachedTo: string, code?: string): string =>
  `<bpmn:boundaryEvent id="caught" attachedToRef="${attachedTo}"><bpmn:errorEventDefinition ${code === undefined ? '' : `errorRef="${code}"`}/></bpmn:boundaryEvent><bpmn:endEvent id="caught_end"/>${flows('caught > caught_end')}`;
const eventSubProcess = (code: string): string =>
  `<bpmn:subProcess id="handler" triggeredByEvent="true"><bpmn:startEvent id="handler_start"><bpmn:errorEventDefinition errorRef="${code}"/></bpmn:startEvent><bpmn:endEvent id="handler_end"/>${flows('handler_start > handler_end')}</bpmn:subProcess>`;
const inSubProcess = (content: string): string =>
  `<bpmn:subProcess id="sub"><bpmn:startEvent id="s"/>${content}<bpmn:endEvent id="e"/>${flows('s > ask', 'ask > e')}</bpmn:subProcess>`;
const onlyApproval = (more = ''): string => start + approval('ask') + more + end + flows('start > ask', 'ask > end');
const wrapped = (inner: string, more = ''): string =>
  start + inSubProcess(approval('ask') + inner) + more + end + flows('start > sub', 'sub > end');

describe('canRequestChanges', () => {
  for (const [description, content, expected] of [
    ['an approval without a step before it', onlyApproval(), false],
    [
      'an approval with a rework step',
      start + job('agent', '', 'agent') + approval('ask') + end + flows('start > agent', 'agent > ask', 'ask > end'),
      true,
    ],
    [
      'a model that evaluates the decision',
      start +
        approval('ask') +
        '<bpmn:exclusiveGateway id="g" default="g_no"/>' +
        job('yes') +
        job('no') +
        flows('start > ask', 'ask > g', 'g > yes: =approval.decision = "approve"', 'g > no'),
      true,
    ],
    ['a boundary event for it', onlyApproval(boundaryEvent('ask', 'approval.changesRequested')), true],
    ['a boundary event for rejections', onlyApproval(boundaryEvent('ask', 'approval.rejected')), false],
    ['a boundary event for any error', onlyApproval(boundaryEvent('ask')), false],
    ['a boundary event of the sub-process', wrapped('', boundaryEvent('sub', 'approval.changesRequested')), true],
    ['an event sub-process in the sub-process', wrapped(eventSubProcess('approval.changesRequested')), true],
    ['an event sub-process of the run', wrapped('', eventSubProcess('approval.changesRequested')), true],
    ['an event sub-process for rejections', wrapped('', eventSubProcess('approval.rejected')), false],
  ] as const) {
    it(`should be ${expected} for ${description}, as a vote shows`, async () => {
      // given
      const run = await TestRun.of(content);
      run.start();
      if (run.tokens().includes('agent')) run.complete('agent');

      // when
      const { refusal } = run.vote('ask', 'request_changes', undefined, 'Shorter.');

      // then
      expect(canRequestChanges(run.graph, 'ask')).to.equal(expected);
      expect(refusal?.code ?? null).to.equal(expected ? null : 'rework_not_possible');
    });
  }
});
