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

const straight = (...ids: string[]): string => flows(...ids.slice(1).map((id, index) => `${ids[index] ?? ''} > ${id}`));
const waiting = start + catchMessage('reply', 'answer') + end + straight('start', 'reply', 'end');
const working = start + job('work') + end + straight('start', 'work', 'end');
const parallel = (...ids: string[]): string =>
  `${start}<bpmn:parallelGateway id="split"/>${ids.map((id) => job(id)).join('')}<bpmn:parallelGateway id="join"/>${end}` +
  flows('start > split', ...ids.flatMap((id) => [`split > ${id}`, `${id} > join`]), 'join > end');
const inside = (elements: string): string =>
  subProcess('sub', `<bpmn:startEvent id="in"/>${elements}<bpmn:endEvent id="out"/>`);

interface Case {
  readonly source: string;
  readonly target: string;
  readonly mapping?: Record<string, string>;
  readonly inputs?: JsonObject;
  readonly act?: (run: TestRun) => void;
  readonly refused: readonly string[];
}

const cases: Record<string, Case> = {
  'an active element that the target does not have': {
    source: waiting,
    target: working,
    refused: ['element_not_mapped reply'],
  },
  'an element whose type has changed': {
    source: waiting,
    target: start + job('reply') + end + straight('start', 'reply', 'end'),
    refused: ['element_type_changed reply'],
  },
  'a mapping to an element of another type': {
    source: waiting,
    target: working,
    mapping: { reply: 'work' },
    refused: ['element_type_changed reply'],
  },
  'a mapping between unknown elements': {
    source: waiting,
    target: waiting,
    mapping: { nobody: 'reply', reply: 'nowhere' },
    refused: ['mapping_source_unknown nobody', 'mapping_target_unknown reply'],
  },
  'an element that is in another scope': {
    source: waiting,
    target:
      start +
      inside(catchMessage('reply', 'answer') + straight('in', 'reply', 'out')) +
      end +
      straight('start', 'sub', 'end'),
    refused: ['element_scope_changed reply'],
  },
  'an approval decision that would apply to another approval': {
    source: start + approval('a') + end + straight('start', 'a', 'end'),
    target: start + approval('b') + end + straight('start', 'b', 'end'),
    mapping: { a: 'b' },
    act: (run) => {
      run.halt = { code: 'command_not_storable', message: 'It is refused.' };
      run.vote('a', 'approve');
      run.halt = undefined;
    },
    refused: ['approval_decided a'],
  },
  'an event that waits for something else': {
    source: waiting,
    target: start + catchTimer('reply', 'PT1H') + end + straight('start', 'reply', 'end'),
    refused: ['event_changed reply'],
  },
  'a boundary event that is mapped to one of another kind': {
    source:
      start +
      job('work') +
      boundaryTimer('slow', 'work', 'PT1H') +
      end +
      straight('start', 'work', 'end') +
      flows('slow > end'),
    target:
      start +
      job('work') +
      boundaryMessage('stop', 'work', 'stopped') +
      end +
      straight('start', 'work', 'end') +
      flows('stop > end'),
    mapping: { slow: 'stop' },
    refused: ['event_changed slow'],
  },
  'a claimed job whose type changes': {
    source: working,
    target: start + job('work', '', 'other') + end + straight('start', 'work', 'end'),
    refused: ['job_in_progress work'],
  },
  'a claimed job whose element id changes': {
    source: working,
    target: start + job('labour', '', 'work') + end + straight('start', 'labour', 'end'),
    mapping: { work: 'labour' },
    refused: ['job_in_progress work'],
  },
  'two active elements that would become one': {
    source: parallel('a', 'b'),
    target: parallel('a', 'c'),
    mapping: { b: 'a' },
    act: (run) => {
      run.fail('a', false);
      run.fail('b', false);
    },
    refused: ['mapping_ambiguous b', 'join_stuck join'],
  },
  'tokens at a join with other flows': {
    source: parallel('a', 'b'),
    target: parallel('a', 'b', 'c'),
    act: (run) => {
      run.complete('a');
    },
    refused: ['join_changed join', 'join_stuck join'],
  },
  'a join that one of its tokens could never reach': {
    source: working,
    target: parallel('work', 'more'),
    refused: ['join_stuck join'],
  },
  'a variable that only approval decisions may write in the target': {
    source: waiting,
    target: start + catchMessage('reply', 'answer') + approval('ok') + end + straight('start', 'reply', 'ok', 'end'),
    inputs: { approval: { decision: 'approve' } },
    refused: ['result_variable_taken p'],
  },
  'an event of the target that has an invalid timer': {
    source: working,
    target:
      start +
      job('work') +
      boundaryTimer('late', 'work', '=nothing') +
      end +
      straight('start', 'work', 'end') +
      flows('late > end'),
    refused: ['timer_invalid work'],
  },
};

describe('advance(): refused migrations', () => {
  for (const [what, { source, target, mapping = {}, inputs = {}, act, refused }] of Object.entries(cases)) {
    it(`should refuse ${what}, without any change`, async () => {
      // given
      const run = await TestRun.of(source);
      run.start({ key: 'k', ...inputs });
      act?.(run);

      // when
      const { result, refusals } = await migrateTo(run, target, mapping);

      // then
      expect(refusals).to.have.members(refused);
      expect(result.refusal?.code).to.equal('migration_refused');
      expect(result.state).to.equal(run.state);
      expect([result.events, result.requests]).to.deep.equal([[], []]);
    });
  }

  it('should refuse a loop that changes from sequential to parallel', async () => {
    const looped = (sequential: boolean): string =>
      working.replace(
        '</bpmn:serviceTask>',
        `<bpmn:multiInstanceLoopCharacteristics isSequential="${String(sequential)}"><bpmn:extensionElements><zeebe:loopCharacteristics inputCollection="=items"/></bpmn:extensionElements></bpmn:multiInstanceLoopCharacteristics></bpmn:serviceTask>`,
      );
    const run = await TestRun.of(looped(true));
    run.start({ items: [1, 2] });
    expect((await migrateTo(run, looped(false))).refusals).to.deep.equal(['loop_changed work']);
  });

  it('should refuse a start event that waits for more events and would no longer wait', async () => {
    // given
    const message = (name: string): string => `<bpmn:messageEventDefinition messageRef="${name}"/>`;
    const begun = (definitions: string): string =>
      `<bpmn:startEvent id="start" parallelMultiple="true">${definitions}</bpmn:startEvent>${end}${straight('start', 'end')}`;
    const run = await TestRun.of(begun(message('payment') + message('shipment')));
    run.start({ key: 'k' }, user('starter'), { elementId: 'start', trigger: 0, payload: {} });

    // when
    const { result, refusals } = await migrateTo(run, start + end + straight('start', 'end'));

    // then
    expect(refusals).to.deep.equal(['event_changed start']);
    expect(result.state).to.equal(run.state);
  });

  it('should refuse the current version of the run as target', async () => {
    const run = await TestRun.of(waiting);
    run.start({ key: 'k' });
    expect((await migrateTo(run, waiting, {}, { workflowVersion: 1 })).refusals).to.deep.equal(['version_unchanged ']);
  });

  it('should refuse a run that has ended or is being cancelled', async () => {
    const run = await TestRun.of(waiting);
    run.start({ key: 'k' });
    run.do({ type: 'cancel', actor: user('otto'), reason: null });
    expect((await migrateTo(run, waiting)).result.refusal?.code).to.equal('run_already_ended');
    const undoing = await TestRun.of(waiting);
    undoing.start({ key: 'k' });
    undoing.state = undoing.state === null ? null : { ...undoing.state, cancelling: true };
    expect((await migrateTo(undoing, waiting)).result.refusal?.code).to.equal('run_cancelling');
  });
});
