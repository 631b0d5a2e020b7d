import { expect } from 'chai';
import type { JsonObject } from '@countersign/model';
import { end, flows, job, start, TestRun, user, approval } from '../interpreter.spec.support.js';
import {
  catchMessage,
  catchTimer,
  boundaryTimer,
  boundaryMessage,
  migrateTo,
  subProcess,
} from './migrate.spec.support.js';

const sequence = (...ids: string[]): string => flows(...ids.slice(1).map((id, index) => `${ids[index] ?? ''} > ${id}`));
const waitingModel = start + catchMessage('reply', 'answer') + end + sequence('start', 'reply', 'end');
const workingModel = start + job('work') + end + sequence('start', 'work', 'end');
const parallel = (...ids: string[]): string =>
  `${start}<bpmn:parallelGateway id="split"/>${ids.map((id) => job(id)).join('')}<bpmn:parallelGateway id="join"/>${end}` +
  flows('start > split', ...ids.flatMap((id) => [`split > ${id}`, `${id} > join`]), 'join > end');
const wrapInSubProcess = (elements: string): string =>
  subProcess('sub', `<bpmn:startEvent id="in"/>${elements}<bpmn:endEvent id="out"/>`);

interface RefusalCase {
  readonly source: string;
  readonly target: string;
  readonly mapping?: Record<string, string>;
  readonly inputs?: JsonObject;
  readonly prepareRun?: (run: TestRun) => void;
  readonly expectedRefusals: readonly string[];
}

const cases: Record<string, RefusalCase> = {
  'an active element that the target does not have': {
    source: waitingModel,
    target: workingModel,
    expectedRefusals: ['element_not_mapped reply'],
  },
  'an element whose type has changed': {
    source: waitingModel,
    target: start + job('reply') + end + sequence('start', 'reply', 'end'),
    expectedRefusals: ['element_type_changed reply'],
  },
  'a mapping to an element of another type': {
    source: waitingModel,
    target: workingModel,
    mapping: { reply: 'work' },
    expectedRefusals: ['element_type_changed reply'],
  },
  'a mapping between unknown elements': {
    source: waitingModel,
    target: waitingModel,
    mapping: { nobody: 'reply', reply: 'nowhere' },
    expectedRefusals: ['mapping_source_unknown nobody', 'mapping_target_unknown reply'],
  },
  'an element that is in another scope': {
    source: waitingModel,
    target:
      start +
      wrapInSubProcess(catchMessage('reply', 'answer') + sequence('in', 'reply', 'out')) +
      end +
      sequence('start', 'sub', 'end'),
    expectedRefusals: ['element_scope_changed reply'],
  },
  'an approval decision that would apply to another approval': {
    source: start + approval('a') + end + sequence('start', 'a', 'end'),
    target: start + approval('b') + end + sequence('start', 'b', 'end'),
    mapping: { a: 'b' },
    prepareRun: (run) => {
      run.halt = { code: 'command_not_storable', message: 'The command cannot be stored.' };
      run.vote('a', 'approve');
      run.halt = undefined;
    },
    expectedRefusals: ['approval_decided a'],
  },
  'a catch event with another kind of trigger in the target': {
    source: waitingModel,
    target: start + catchTimer('reply', 'PT1H') + end + sequence('start', 'reply', 'end'),
    expectedRefusals: ['event_changed reply'],
  },
  'a mapping to a boundary event with another kind of trigger': {
    source:
      start +
      job('work') +
      boundaryTimer('slow', 'work', 'PT1H') +
      end +
      sequence('start', 'work', 'end') +
      flows('slow > end'),
    target:
      start +
      job('work') +
      boundaryMessage('stop', 'work', 'stopped') +
      end +
      sequence('start', 'work', 'end') +
      flows('stop > end'),
    mapping: { slow: 'stop' },
    expectedRefusals: ['event_changed slow'],
  },
  'a claimed job whose type changes': {
    source: workingModel,
    target: start + job('work', '', 'other') + end + sequence('start', 'work', 'end'),
    expectedRefusals: ['job_in_progress work'],
  },
  'a claimed job whose element id changes': {
    source: workingModel,
    target: start + job('labour', '', 'work') + end + sequence('start', 'labour', 'end'),
    mapping: { work: 'labour' },
    expectedRefusals: ['job_in_progress work'],
  },
  'two active elements that are mapped to the same element': {
    source: parallel('a', 'b'),
    target: parallel('a', 'c'),
    mapping: { b: 'a' },
    prepareRun: (run) => {
      run.fail('a', false);
      run.fail('b', false);
    },
    expectedRefusals: ['mapping_ambiguous b', 'join_stuck join'],
  },
  'tokens at a join that has other incoming flows in the target': {
    source: parallel('a', 'b'),
    target: parallel('a', 'b', 'c'),
    prepareRun: (run) => {
      run.complete('a');
    },
    expectedRefusals: ['join_changed join', 'join_stuck join'],
  },
  'a join at which tokens would wait forever': {
    source: workingModel,
    target: parallel('work', 'more'),
    expectedRefusals: ['join_stuck join'],
  },
  'a variable that only approval decisions may write in the target': {
    source: waitingModel,
    target: start + catchMessage('reply', 'answer') + approval('ok') + end + sequence('start', 'reply', 'ok', 'end'),
    inputs: { approval: { decision: 'approve' } },
    expectedRefusals: ['result_variable_taken p'],
  },
  'an event of the target that has an invalid timer': {
    source: workingModel,
    target:
      start +
      job('work') +
      boundaryTimer('late', 'work', '=nothing') +
      end +
      sequence('start', 'work', 'end') +
      flows('late > end'),
    expectedRefusals: ['timer_invalid work'],
  },
};

describe('advance(): refused migrations', () => {
  for (const [
    description,
    { source, target, mapping = {}, inputs = {}, prepareRun, expectedRefusals },
  ] of Object.entries(cases)) {
    it(`should refuse ${description}, without any change`, async () => {
      // given
      const run = await TestRun.of(source);
      run.start({ key: 'k', ...inputs });
      prepareRun?.(run);

      // when
      const { result, refusals } = await migrateTo(run, target, mapping);

      // then
      expect(refusals).to.have.members(expectedRefusals);
      expect(result.refusal?.code).to.equal('migration_refused');
      expect(result.state).to.equal(run.state);
      expect([result.events, result.requests]).to.deep.equal([[], []]);
    });
  }

  it('should refuse a loop that changes from sequential to parallel', async () => {
    const loopedModel = (sequential: boolean): string =>
      workingModel.replace(
        '</bpmn:serviceTask>',
        `<bpmn:multiInstanceLoopCharacteristics isSequential="${String(sequential)}"><bpmn:extensionElements><zeebe:loopCharacteristics inputCollection="=items"/></bpmn:extensionElements></bpmn:multiInstanceLoopCharacteristics></bpmn:serviceTask>`,
      );
    const run = await TestRun.of(loopedModel(true));
    run.start({ items: [1, 2] });
    expect((await migrateTo(run, loopedModel(false))).refusals).to.deep.equal(['loop_changed work']);
  });

  it('should refuse a target whose start event would no longer wait for the remaining events', async () => {
    // given
    const message = (name: string): string => `<bpmn:messageEventDefinition messageRef="${name}"/>`;
    const parallelMultipleStart = (definitions: string): string =>
      `<bpmn:startEvent id="start" parallelMultiple="true">${definitions}</bpmn:startEvent>${end}${sequence('start', 'end')}`;
    const run = await TestRun.of(parallelMultipleStart(message('payment') + message('shipment')));
    run.start({ key: 'k' }, user('starter'), { elementId: 'start', trigger: 0, payload: {} });

    // when
    const { result, refusals } = await migrateTo(run, start + end + sequence('start', 'end'));

    // then
    expect(refusals).to.deep.equal(['event_changed start']);
    expect(result.state).to.equal(run.state);
  });

  it('should refuse the current version of the run as target', async () => {
    const run = await TestRun.of(waitingModel);
    run.start({ key: 'k' });
    expect((await migrateTo(run, waitingModel, {}, { workflowVersion: 1 })).refusals).to.deep.equal([
      'version_unchanged ',
    ]);
  });

  it('should refuse a run that has ended or is being cancelled', async () => {
    const run = await TestRun.of(waitingModel);
    run.start({ key: 'k' });
    run.do({ type: 'cancel', actor: user('otto'), reason: null });
    expect((await migrateTo(run, waitingModel)).result.refusal?.code).to.equal('run_already_ended');
    const cancellingRun = await TestRun.of(waitingModel);
    cancellingRun.start({ key: 'k' });
    cancellingRun.state = cancellingRun.state === null ? null : { ...cancellingRun.state, cancelling: true };
    expect((await migrateTo(cancellingRun, waitingModel)).result.refusal?.code).to.equal('run_cancelling');
  });
});
