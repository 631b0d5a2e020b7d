import { expect } from 'chai';
import { approval, end, flows, job, start, TestRun, user } from './interpreter.spec.support.js';

const HALT = { code: 'command_not_storable', message: 'The command cannot be stored.' } as const;
const recoverAll = { type: 'recover', actor: user('op'), steps: null, variables: null, comment: null } as const;
const timer = (isoDuration: string): string =>
  `<bpmn:timerEventDefinition><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">${isoDuration}</bpmn:timeDuration></bpmn:timerEventDefinition>`;

describe('advance(): commands that halt', () => {
  /** Executes a command that halts, and returns the elements with an incident. */
  function executeHalting(run: TestRun, executeCommand: () => unknown): string[] {
    run.halt = HALT;
    executeCommand();
    run.halt = undefined;
    return run.tokens().filter((elementId) => run.at(elementId).incident !== undefined);
  }

  it('should stop before the first element when a start halts', async () => {
    // given
    const run = await TestRun.of(start + job('a') + end + flows('start > a', 'a > end'));

    // when
    const haltedElementIds = executeHalting(run, () => run.start({ n: 1 }));

    // then
    expect(haltedElementIds).to.deep.equal(['start']);
    expect(run.project()).to.deep.include({ incidents: 1, error: { ...HALT, elementId: 'start' } });
    run.do(recoverAll);
    run.complete('a');
    expect([run.state?.outcome, run.variables()]).to.deep.equal(['completed', { n: 1 }]);
  });

  it('should not repeat a job on recovery after its completion halted', async () => {
    // given
    const run = await TestRun.of(start + job('a') + end + flows('start > a', 'a > end'));
    run.start();

    // when
    const haltedElementIds = executeHalting(run, () => run.complete('a', { sum: 3 }));

    // then
    expect([haltedElementIds, run.variables()]).to.deep.equal([['a'], {}]);
    expect(run.requests.filter(({ type }) => type === 'job.withdraw')).to.have.length(1);
    run.do(recoverAll);
    expect([run.state?.outcome, run.variables()]).to.deep.equal(['completed', { sum: 3 }]);
    expect(run.requests.filter(({ type }) => type === 'job.offer')).to.have.length(1);
  });

  it('should record the vote of a command that halts, and complete the approval on recovery', async () => {
    // given
    const run = await TestRun.of(start + approval('ok') + end + flows('start > ok', 'ok > end'));
    run.start();

    // when
    const haltedElementIds = executeHalting(run, () => run.vote('ok', 'approve'));

    // then
    expect(haltedElementIds).to.deep.equal(['ok']);
    expect(run.eventTypes()).to.include.members(['approval.voted', 'approval.resolved', 'step.failed']);
    run.do(recoverAll);
    expect(run.state?.outcome).to.equal('completed');
  });

  it('should stop at the boundary event when its timer halts', async () => {
    // given
    const run = await TestRun.of(
      start +
        job('a') +
        `<bpmn:boundaryEvent id="late" attachedToRef="a">${timer('PT1S')}</bpmn:boundaryEvent>` +
        end +
        flows('start > a', 'a > end', 'late > end'),
    );
    run.start();
    const { timerId } = run.wait('a', 'timer');

    // when
    const haltedElementIds = executeHalting(run, () => run.do({ type: 'timer.fire', actor: user('clock'), timerId }));

    // then
    expect([haltedElementIds, run.tokens()]).to.deep.equal([['late'], ['late']]);
    run.do(recoverAll);
    expect(run.state?.outcome).to.equal('completed');
    expect(run.completedElementIds()).to.deep.equal(['start', 'late', 'end']);
  });

  it('should stop every token that the command moves', async () => {
    // given
    const run = await TestRun.of(
      start +
        '<bpmn:subProcess id="each"><bpmn:multiInstanceLoopCharacteristics><bpmn:extensionElements><zeebe:loopCharacteristics inputCollection="=[1, 2, 3]"/></bpmn:extensionElements></bpmn:multiInstanceLoopCharacteristics>' +
        `<bpmn:startEvent id="begin"/>${job('a')}${flows('begin > a')}</bpmn:subProcess>` +
        end +
        flows('start > each', 'each > end'),
    );
    run.start();
    for (let index = 0; index < 3; index += 1)
      executeHalting(run, () => {
        const { jobId } = run.wait('a', 'job');
        run.do({ type: 'job.complete', actor: user('worker'), jobId, output: {}, agentName: null });
      });
    expect(run.project().incidents).to.equal(3);

    // when
    executeHalting(run, () => run.do(recoverAll));

    // then
    expect(run.project().incidents).to.equal(3);
    run.do(recoverAll);
    expect(run.state?.outcome).to.equal('completed');
  });

  it('should halt again when the recovery halts', async () => {
    // given
    const run = await TestRun.of(start + job('a') + end + flows('start > a', 'a > end'));
    run.start();
    executeHalting(run, () => run.complete('a'));

    // when
    const haltedElementIds = executeHalting(run, () => run.do(recoverAll));

    // then
    expect(haltedElementIds).to.deep.equal(['a']);
    run.do(recoverAll);
    expect(run.state?.outcome).to.equal('completed');
  });
});
