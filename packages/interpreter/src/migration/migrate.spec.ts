import { expect } from 'chai';
import { end, flows, job, script, start, TestRun, user } from '../interpreter.spec.support.js';
import {
  boundaryMessage,
  boundaryTimer,
  catchMessage,
  catchTimer,
  eventSubProcess,
  migrateTo,
  subProcess,
} from './migrate.spec.support.js';

const sequence = (...ids: string[]): string => flows(...ids.slice(1).map((id, index) => `${ids[index] ?? ''} > ${id}`));

describe('advance(): migration', () => {
  it('should keep the subscription of a waiting run, and continue with the target version', async () => {
    // given
    const run = await TestRun.of(
      start + catchMessage('reply', 'answer') + job('old') + end + sequence('start', 'reply', 'old', 'end'),
    );
    run.start({ key: 'k', kept: 1 });
    const { subscriptionId } = run.wait('reply', 'message');

    // when
    const { run: migratedRun, result } = await migrateTo(
      run,
      start + catchMessage('reply', 'other') + job('fresh') + end + sequence('start', 'reply', 'fresh', 'end'),
    );

    // then the subscription is unchanged
    expect(result.refusal).to.equal(null);
    expect(result.requests).to.deep.equal([]);
    expect(migratedRun.state).to.include({ workflowVersion: 2, workflowDigest: 'sha256:2' });
    migratedRun.do({ type: 'message.correlate', actor: user('x'), subscriptionId, payload: { answer: 42 } });
    migratedRun.complete('fresh');
    expect(migratedRun.state?.outcome).to.equal('completed');
    expect(migratedRun.variables()).to.deep.equal({ key: 'k', kept: 1, answer: 42 });
  });

  it('should move a token to the mapped element, and keep its due date', async () => {
    // given
    const run = await TestRun.of(start + catchTimer('pause', 'PT1H') + end + sequence('start', 'pause', 'end'));
    run.start();
    const { timerId, dueAt } = run.wait('pause', 'timer');
    run.now += 60_000;

    // when
    const { run: migratedRun, result } = await migrateTo(
      run,
      start +
        catchTimer('rest', 'PT9H') +
        script('after', '=1', 'one') +
        end +
        sequence('start', 'rest', 'after', 'end'),
      { pause: 'rest' },
    );

    // then
    expect(migratedRun.wait('rest', 'timer')).to.include({ timerId, dueAt, elementId: 'rest' });
    expect(result.events.map(({ type, elementId }) => [type, elementId])).to.deep.equal([
      ['run.migrated', null],
      ['step.migrated', 'rest'],
    ]);
    expect(result.events[0]?.data).to.deep.equal({
      fromVersion: 1,
      fromDigest: 'sha256:1',
      toVersion: 2,
      toDigest: 'sha256:2',
      mapping: { pause: 'rest' },
      moves: [{ from: 'pause', to: 'rest' }],
      closed: [],
      opened: [],
      restarted: [],
    });
    expect(result.events[0]?.private).to.deep.include({ comment: null });
    migratedRun.do({ type: 'timer.fire', actor: user('timer'), timerId });
    expect(migratedRun.completedElementIds()).to.deep.equal(['start', 'rest', 'after', 'end']);
  });

  it('should keep events of both versions, close removed events and open added events', async () => {
    // given
    const handlers = script('late', '=1', 'late') + script('told', '=1', 'told');
    const sourceElements =
      start +
      job('work') +
      boundaryTimer('slow', 'work', 'PT1H') +
      boundaryMessage('stop', 'work', 'stopped') +
      end +
      handlers;
    const run = await TestRun.of(
      sourceElements +
        sequence('start', 'work', 'end') +
        flows('slow > late', 'stop > told', 'late > end', 'told > end'),
    );
    run.start({ key: 'k' });
    run.fail('work', false);
    const [timer, message] = [run.wait('work', 'timer'), run.wait('work', 'message')];

    // when
    const targetElements =
      start +
      job('work') +
      boundaryTimer('slow', 'work', 'PT5H') +
      boundaryTimer('slower', 'work', 'PT6H', false) +
      end +
      script('late', '=1', 'late');
    const { run: migratedRun, result } = await migrateTo(
      run,
      targetElements +
        eventSubProcess('asked', 'question') +
        sequence('start', 'work', 'end') +
        flows('slow > late', 'slower > late', 'late > end'),
    );

    // then
    expect(result.requests.map((request) => request.type)).to.deep.equal([
      'subscription.close',
      'subscription.open',
      'timer.arm',
    ]);
    expect(result.requests[0]).to.deep.equal({ type: 'subscription.close', subscriptionId: message.subscriptionId });
    expect(result.events[0]?.data).to.deep.include({
      closed: [{ elementId: 'stop', kind: 'message' }],
      opened: [
        { elementId: 'asked_start', kind: 'message' },
        { elementId: 'slower', kind: 'timer' },
      ],
    });
    const timers = migratedRun
      .at('work')
      .waits?.flatMap((wait) => (wait.kind === 'timer' ? [[wait.elementId, wait.dueAt]] : []));
    expect(timers).to.deep.equal([
      ['slow', timer.dueAt],
      ['slower', migratedRun.now + 6 * 3_600_000],
    ]);
    migratedRun.do({ type: 'timer.fire', actor: user('timer'), timerId: timer.timerId });
    expect(migratedRun.completedElementIds()).to.include('late');
  });

  it('should not reopen an event that has already occurred', async () => {
    const elements =
      start +
      job('work') +
      boundaryTimer('slow', 'work', 'PT1H', false) +
      end +
      script('late', '=1', 'late') +
      sequence('start', 'work', 'end') +
      flows('slow > late', 'late > end');
    const run = await TestRun.of(elements);
    run.start();
    run.do({ type: 'timer.fire', actor: user('timer'), timerId: run.wait('work', 'timer').timerId });
    const { result, run: migratedRun } = await migrateTo(run, elements.replace('PT1H', 'PT2H'));
    expect(result.refusal).to.equal(null);
    expect(migratedRun.at('work').waits?.map((wait) => wait.kind)).to.deep.equal(['job']);
    expect(result.requests).to.deep.equal([]);
  });

  it('should keep the incident of a failed step, and execute the target version on recovery', async () => {
    // given
    const run = await TestRun.of(start + job('work', '', 'broken') + end + sequence('start', 'work', 'end'));
    run.start();
    run.fail('work', false);

    // when
    const { run: migratedRun } = await migrateTo(
      run,
      start + job('work', '', 'mended') + job('next') + end + sequence('start', 'work', 'next', 'end'),
    );
    expect(migratedRun.project()).to.include({ status: 'failed', incidents: 1 });
    migratedRun.do({ type: 'recover', actor: user('otto'), steps: null, variables: null, comment: null });

    // then
    expect(migratedRun.wait('work', 'job').jobType).to.equal('mended');
    migratedRun.complete('work');
    expect(migratedRun.tokens()).to.deep.equal(['next']);
  });

  it('should end all failed steps when the recovery of the first step throws a caught error', async () => {
    // given
    const fork = '<bpmn:parallelGateway id="fork"/>';
    const errorEndEvent = '<bpmn:endEvent id="thrown"><bpmn:errorEventDefinition errorRef="E"/></bpmn:endEvent>';
    const model =
      start +
      fork +
      job('work') +
      errorEndEvent +
      flows('start > fork', 'fork > work', 'fork > thrown', 'work > thrown');
    const errorEventSubProcess =
      '<bpmn:subProcess id="handler" triggeredByEvent="true"><bpmn:startEvent id="handler_start"><bpmn:errorEventDefinition errorRef="E"/></bpmn:startEvent><bpmn:endEvent id="handler_end"/>' +
      '<bpmn:sequenceFlow id="handler_flow" sourceRef="handler_start" targetRef="handler_end"/></bpmn:subProcess>';
    const run = await TestRun.of(model);
    run.start();
    run.complete('work');
    expect(run.project().incidents).to.equal(2);
    const { run: migratedRun } = await migrateTo(run, model + errorEventSubProcess);

    // when
    migratedRun.do({ type: 'recover', actor: user('otto'), steps: null, variables: null, comment: null });

    // then
    expect(migratedRun.state?.outcome).to.equal('completed');
    expect(migratedRun.events.filter((event) => event.type === 'step.retried')).to.have.length(1);
  });

  it('should keep a claimed job that is unchanged, and use its result in the target version', async () => {
    const run = await TestRun.of(start + job('work') + end + sequence('start', 'work', 'end'));
    run.start();
    const { jobId } = run.wait('work', 'job');
    const { run: migratedRun, result } = await migrateTo(
      run,
      start + job('work') + job('next') + end + sequence('start', 'work', 'next', 'end'),
    );
    expect(result.requests).to.deep.equal([]);
    migratedRun.do({ type: 'job.complete', actor: user('w'), jobId, output: { done: true }, agentName: null });
    expect(migratedRun.tokens()).to.deep.equal(['next']);
    expect(migratedRun.variables()).to.deep.equal({ done: true });
  });

  it('should offer an unclaimed job again as defined in the target, and refuse to move a claimed job', async () => {
    // given
    const run = await TestRun.of(
      start +
        job('work', '', 'misspelt') +
        boundaryTimer('slow', 'work', 'PT1H') +
        end +
        sequence('start', 'work', 'end') +
        flows('slow > end'),
    );
    run.start();
    const [{ jobId }, { timerId }] = [run.wait('work', 'job'), run.wait('work', 'timer')];
    const target =
      start +
      job('labour', '<zeebe:ioMapping><zeebe:input source="=1" target="one"/></zeebe:ioMapping>', 'spelt') +
      boundaryTimer('slow', 'labour', 'PT2H') +
      end +
      sequence('start', 'labour', 'end') +
      flows('slow > end');
    expect(
      (await migrateTo(run, target, { work: 'labour' }, { claimedJobs: new Set([jobId]) })).refusals,
    ).to.deep.equal(['job_in_progress work']);

    // when
    const { run: migratedRun, result } = await migrateTo(run, target, { work: 'labour' }, { claimedJobs: new Set() });

    // then
    expect(result.requests[0]).to.deep.equal({ type: 'job.withdraw', jobId, ifUnclaimed: true });
    expect(result.requests.slice(1).map((request) => request.type)).to.deep.equal(['job.offer']);
    expect(result.events[0]?.data).to.deep.include({ restarted: ['labour'] });
    expect(migratedRun.wait('labour', 'job')).to.include({ jobType: 'spelt' }).and.to.not.include({ jobId });
    expect(migratedRun.wait('labour', 'timer')).to.include({ timerId });
    expect(migratedRun.at('labour').variables).to.deep.equal({ one: 1 });
    migratedRun.complete('labour');
    expect(migratedRun.state?.outcome).to.equal('completed');
  });

  it('should move a token that waits at a join, and a sub-process with its steps', async () => {
    // given
    const fork = (id: string): string => `<bpmn:parallelGateway id="${id}"/>`;
    const inner = (last: string): string =>
      `<bpmn:startEvent id="in"/>${job(last)}<bpmn:endEvent id="out"/>${sequence('in', last, 'out')}`;
    const model = (join: string, sub: string, last: string): string =>
      start +
      fork('split') +
      job('a') +
      subProcess(sub, inner(last)) +
      fork(join) +
      end +
      flows('start > split', 'split > a', `split > ${sub}`, `a > ${join}`, `${sub} > ${join}`, `${join} > end`);
    const run = await TestRun.of(model('join', 'sub', 'b'));
    run.start();
    run.complete('a');
    run.fail('b', false);

    // when
    const { run: migratedRun, refusals } = await migrateTo(run, model('merge', 'box', 'c'), {
      join: 'merge',
      sub: 'box',
      b: 'c',
    });

    // then
    expect(refusals).to.deep.equal([]);
    expect(migratedRun.state?.instances['1']?.joins).to.deep.equal({ merge: { a_merge: 1 } });
    migratedRun.do({ type: 'recover', actor: user('otto'), steps: null, variables: null, comment: null });
    migratedRun.complete('c');
    expect(migratedRun.state?.outcome).to.equal('completed');
  });

  it('should move tokens at a join to the matching flows from the same gateway', async () => {
    // given
    const model = (join: string): string =>
      `${start}<bpmn:parallelGateway id="split"/>${job('a')}<bpmn:parallelGateway id="${join}"/>${end}` +
      flows('start > split', 'split > a', `a > ${join}`, `${join} > end`) +
      ['x', 'y']
        .map((suffix) => `<bpmn:sequenceFlow id="${join}_${suffix}" sourceRef="split" targetRef="${join}"/>`)
        .join('');
    const run = await TestRun.of(model('join'));
    run.start();
    run.fail('a', false);

    // when
    const { run: migratedRun, refusals } = await migrateTo(run, model('merge'), { join: 'merge' });

    // then
    expect(refusals).to.deep.equal([]);
    expect(migratedRun.state?.instances['1']?.joins).to.deep.equal({ merge: { merge_x: 1, merge_y: 1 } });
  });

  it('should map completed activities to the compensation handler of the target', async () => {
    // given
    const model = (handler: string): string =>
      `${start}${job('book')}<bpmn:boundaryEvent id="undo" attachedToRef="book"><bpmn:compensateEventDefinition/></bpmn:boundaryEvent>` +
      job(handler).replace('<bpmn:serviceTask', '<bpmn:serviceTask isForCompensation="true"') +
      `<bpmn:association id="link" associationDirection="One" sourceRef="undo" targetRef="${handler}"/>${catchMessage('reply', 'answer')}${end}${sequence('start', 'book', 'reply', 'end')}`;
    const run = await TestRun.of(model('unbook'));
    run.start({ key: 'k' });
    run.complete('book');
    expect((await migrateTo(run, model('refund'))).refusals).to.deep.equal(['compensation_lost book']);

    // when
    const { run: migratedRun } = await migrateTo(run, model('refund'), { unbook: 'refund' });
    migratedRun.do({ type: 'cancel', actor: user('otto'), reason: null });

    // then
    expect(migratedRun.tokens()).to.deep.equal(['refund']);
  });

  it('should continue a compensation in progress', async () => {
    // given
    const model = (book: string, unbook: string, back: string): string =>
      start +
      job(book) +
      job(`${book}2`) +
      ['', '2']
        .map(
          (suffix) =>
            `<bpmn:boundaryEvent id="undo${suffix}" attachedToRef="${book}${suffix}"><bpmn:compensateEventDefinition/></bpmn:boundaryEvent>` +
            job(`${unbook}${suffix}`).replace('<bpmn:serviceTask', '<bpmn:serviceTask isForCompensation="true"') +
            `<bpmn:association id="link${suffix}" associationDirection="One" sourceRef="undo${suffix}" targetRef="${unbook}${suffix}"/>`,
        )
        .join('') +
      `<bpmn:intermediateThrowEvent id="${back}"><bpmn:compensateEventDefinition/></bpmn:intermediateThrowEvent>${end}${sequence('start', book, `${book}2`, back, 'end')}`;
    const run = await TestRun.of(model('book', 'unbook', 'back'));
    run.start();
    run.complete('book');
    run.complete('book2');
    run.fail('unbook2', false);
    const target = model('take', 'give', 'undoing');
    expect(
      (await migrateTo(run, target, { back: 'undoing', unbook: 'give', unbook2: 'give2' })).refusals,
    ).to.have.members(['compensation_lost book', 'compensation_lost book2']);

    // when
    const { run: migratedRun } = await migrateTo(run, target, {
      back: 'undoing',
      unbook: 'give',
      unbook2: 'give2',
      book: 'take',
      book2: 'take2',
    });
    migratedRun.do({ type: 'recover', actor: user('otto'), steps: null, variables: null, comment: null });
    migratedRun.complete('give2');
    migratedRun.complete('give');

    // then
    expect(migratedRun.state?.outcome).to.equal('completed');
    expect(
      migratedRun.events.filter((event) => event.type === 'step.compensated').map((event) => event.elementId),
    ).to.deep.equal(['take2', 'take']);
  });

  it('should keep the results of completed loop instances', async () => {
    const loopedModel = (id: string): string =>
      job(id).replace(
        '</bpmn:serviceTask>',
        '<bpmn:multiInstanceLoopCharacteristics><bpmn:extensionElements><zeebe:loopCharacteristics inputCollection="=items" inputElement="item" outputCollection="all" outputElement="=got"/></bpmn:extensionElements></bpmn:multiInstanceLoopCharacteristics></bpmn:serviceTask>',
      );
    const run = await TestRun.of(start + loopedModel('each') + end + sequence('start', 'each', 'end'));
    run.start({ items: ['a', 'b'] });
    run.complete('each', { got: 1 });
    const { run: migratedRun, refusals } = await migrateTo(
      run,
      start + loopedModel('each') + job('next') + end + sequence('start', 'each', 'next', 'end'),
    );
    expect(refusals).to.deep.equal([]);
    migratedRun.complete('each', { got: 2 });
    expect(migratedRun.variables()['all']).to.deep.equal([1, 2]);
    expect(migratedRun.tokens()).to.deep.equal(['next']);
  });
});
