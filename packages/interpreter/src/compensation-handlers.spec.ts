import { expect } from 'chai';
import { approval, end, flows, job, start, TestRun, user } from './interpreter.spec.support.js';

const compensation = '<bpmn:compensateEventDefinition/>';
const boundary = (id: string, attachedTo: string, definition: string): string =>
  `<bpmn:boundaryEvent id="${id}" attachedToRef="${attachedTo}">${definition}</bpmn:boundaryEvent>`;

/** Builds a job with a compensation handler. */
function compensableTask(id: string): string {
  const handler = job(`undo_${id}`).replace('<bpmn:serviceTask ', '<bpmn:serviceTask isForCompensation="true" ');
  return `${job(id)}${boundary(`${id}_undone`, id, compensation)}${handler}<bpmn:association id="${id}_by" sourceRef="${id}_undone" targetRef="undo_${id}" associationDirection="One"/>`;
}

const compensationThrowEvent = (attributes = ''): string =>
  `<bpmn:intermediateThrowEvent id="back"><bpmn:compensateEventDefinition ${attributes}/></bpmn:intermediateThrowEvent>`;

const stopMessageDefinition = '<bpmn:messageEventDefinition messageRef="stop"/>';

/** Sends the message that the event sub-process waits for. */
function sendStopMessage(run: TestRun): void {
  const wait = run.state?.instances[run.state.root]?.waits?.find((each) => each.kind === 'message');
  if (wait?.kind !== 'message') throw new Error('no event sub-process waits for the message');
  run.do({ type: 'message.correlate', actor: user('system'), subscriptionId: wait.subscriptionId, payload: {} });
}

describe('advance(): compensation that is interrupted', () => {
  for (const waitForCompletion of ['true', 'false']) {
    it(`should compensate all remaining activities when the run is cancelled (waitForCompletion="${waitForCompletion}")`, async () => {
      // given
      const sequenceFlows = flows('start > a', 'a > b', 'b > back', 'back > c', 'c > end');
      const run = await TestRun.of(
        start +
          compensableTask('a') +
          compensableTask('b') +
          compensationThrowEvent(`waitForCompletion="${waitForCompletion}"`) +
          job('c') +
          end +
          sequenceFlows,
      );
      run.start();
      run.complete('a');
      run.complete('b');
      expect(run.tokens()).to.include('undo_b').and.not.include('undo_a');

      // when
      run.do({ type: 'cancel', actor: user('op'), reason: null });

      // then
      expect(run.tokens(), 'the handler starts again, because its progress is unknown').to.deep.equal(['undo_b']);
      run.complete('undo_b');
      run.complete('undo_a');
      expect(run.state?.outcome).to.equal('cancelled');
    });
  }

  for (const waitForCompletion of ['true', 'false']) {
    it(`should cancel interrupted handlers, and run them again when the run is cancelled (waitForCompletion="${waitForCompletion}")`, async () => {
      // given
      const interruptingSubProcess = `<bpmn:subProcess id="sub" triggeredByEvent="true"><bpmn:startEvent id="ss">${stopMessageDefinition}</bpmn:startEvent>${job('later')}<bpmn:endEvent id="se"/>${flows('ss > later', 'later > se')}</bpmn:subProcess>`;
      const sequenceFlows = flows('start > a', 'a > b', 'b > back', 'back > c', 'c > end');
      const run = await TestRun.of(
        start +
          compensableTask('a') +
          compensableTask('b') +
          compensationThrowEvent(`waitForCompletion="${waitForCompletion}"`) +
          job('c') +
          end +
          sequenceFlows +
          interruptingSubProcess,
      );
      run.start({ key: 'k' });
      run.complete('a');
      run.complete('b');
      expect(run.tokens()).to.include('undo_b');

      // when
      sendStopMessage(run);

      // then
      expect(run.tokens().filter((id) => id.startsWith('undo'))).to.deep.equal([]);
      run.do({ type: 'cancel', actor: user('op'), reason: null });
      run.complete('undo_b');
      run.complete('undo_a');
      expect(run.state?.outcome).to.equal('cancelled');
    });

    it(`should complete the run after an interrupting event sub-process (waitForCompletion="${waitForCompletion}")`, async () => {
      const interruptingSubProcess = `<bpmn:subProcess id="sub" triggeredByEvent="true"><bpmn:startEvent id="ss">${stopMessageDefinition}</bpmn:startEvent><bpmn:endEvent id="se"/>${flows('ss > se')}</bpmn:subProcess>`;
      const run = await TestRun.of(
        start +
          compensableTask('a') +
          compensationThrowEvent(`waitForCompletion="${waitForCompletion}"`) +
          job('c') +
          end +
          flows('start > a', 'a > back', 'back > c', 'c > end') +
          interruptingSubProcess,
      );
      run.start({ key: 'k' });
      run.complete('a');

      sendStopMessage(run);

      expect(run.state?.outcome).to.equal('completed');
    });
  }

  it('should cancel the handlers at a terminate end event, and run them again when the run is cancelled', async () => {
    // given
    const inner = `<bpmn:startEvent id="is"/>${compensableTask('a')}${compensationThrowEvent('waitForCompletion="false"')}${job('c')}<bpmn:endEvent id="it"><bpmn:terminateEventDefinition/></bpmn:endEvent>${flows('is > a', 'a > back', 'back > c', 'c > it')}`;
    const run = await TestRun.of(
      start +
        `<bpmn:subProcess id="s">${inner}</bpmn:subProcess>` +
        job('next') +
        end +
        flows('start > s', 's > next', 'next > end'),
    );
    run.start();
    run.complete('a');
    expect(run.tokens()).to.include('undo_a');

    // when
    run.complete('c');

    // then
    expect(run.tokens()).to.deep.equal(['next']);
    run.do({ type: 'cancel', actor: user('op'), reason: null });
    expect(run.tokens()).to.deep.equal(['undo_a']);
    run.complete('undo_a');
    expect(run.state?.outcome).to.equal('cancelled');
  });

  it('should complete each handler once when the transaction is cancelled during its compensation', async () => {
    // given
    const inner = `<bpmn:startEvent id="is"/>${compensableTask('a')}${compensableTask('b')}${compensationThrowEvent('waitForCompletion="false"')}${job('c')}<bpmn:endEvent id="ic"><bpmn:cancelEventDefinition/></bpmn:endEvent>${flows('is > a', 'a > b', 'b > back', 'back > c', 'c > ic')}`;
    const transactionModel = `<bpmn:transaction id="t">${inner}</bpmn:transaction>${boundary('off', 't', '<bpmn:cancelEventDefinition/>')}`;
    const run = await TestRun.of(
      start + transactionModel + end + '<bpmn:endEvent id="gone"/>' + flows('start > t', 't > end', 'off > gone'),
    );
    run.start();
    run.complete('a');
    run.complete('b');
    expect(run.tokens()).to.include('undo_b').and.not.include('undo_a');

    // when
    run.complete('c');

    // then
    run.complete('undo_b');
    run.complete('undo_a');
    expect(run.state?.outcome).to.equal('completed');
    expect(run.completedElementIds().filter((id) => id.startsWith('undo'))).to.deep.equal(['undo_b', 'undo_a']);
  });

  it('should leave no active steps when a rejection ends the run', async () => {
    // given
    const sequenceFlows = flows('start > a', 'a > back', 'back > ask', 'ask > end');
    const run = await TestRun.of(
      start +
        compensableTask('a') +
        compensationThrowEvent('waitForCompletion="false"') +
        approval('ask') +
        end +
        sequenceFlows,
    );
    run.start();
    run.complete('a');
    expect(run.tokens()).to.have.members(['ask', 'undo_a']);

    // when
    run.vote('ask', 'reject');

    // then
    expect(run.state?.outcome).to.equal('rejected');
    expect(Object.values(run.state?.instances ?? {})).to.have.length(1);
    expect(run.state?.instances[run.state.root]).to.not.have.property('compensating');
  });
});

describe('advance(): an error of a compensation handler in a cancelled run', () => {
  it('should raise an incident on the handler, even if an event sub-process could catch the error', async () => {
    // given
    const eventSubProcess =
      '<bpmn:subProcess id="sub" triggeredByEvent="true"><bpmn:startEvent id="ss"><bpmn:errorEventDefinition/></bpmn:startEvent><bpmn:endEvent id="se"/><bpmn:sequenceFlow id="ss_se" sourceRef="ss" targetRef="se"/></bpmn:subProcess>';
    const run = await TestRun.of(
      start + compensableTask('a') + job('b') + eventSubProcess + end + flows('start > a', 'a > b', 'b > end'),
    );
    run.start();
    run.complete('a');
    run.do({ type: 'cancel', actor: user('op'), reason: null });

    // when
    run.do({
      type: 'job.error',
      actor: user('worker'),
      jobId: run.wait('undo_a', 'job').jobId,
      errorCode: 'E',
      message: 'The order is closed.',
      variables: {},
    });

    // then
    expect(run.tokens()).to.deep.equal(['undo_a']);
    expect(run.at('undo_a').incident?.code).to.equal('unhandled_error');
    run.do({ type: 'recover', actor: user('op'), steps: null, variables: null, comment: null });
    run.complete('undo_a');
    expect(run.state?.outcome).to.equal('cancelled');
  });
});

describe('advance(): transactions in a multi-instance loop', () => {
  const cancelEndEvent = '<bpmn:endEvent id="stop"><bpmn:cancelEventDefinition/></bpmn:endEvent>';
  const gatewayXml = '<bpmn:exclusiveGateway id="g" default="g_e"/>';
  const transactionContent = `<bpmn:startEvent id="s"/>${compensableTask('a')}${gatewayXml}${cancelEndEvent}<bpmn:endEvent id="e"/>${flows('s > a', 'a > g', 'g > stop: =item = 2', 'g > e')}`;
  const marker =
    '<bpmn:multiInstanceLoopCharacteristics><bpmn:extensionElements><zeebe:loopCharacteristics inputCollection="=[1, 2, 3]" inputElement="item"/></bpmn:extensionElements></bpmn:multiInstanceLoopCharacteristics>';
  const transaction = `<bpmn:transaction id="t">${marker}${transactionContent}</bpmn:transaction>`;

  it('should compensate all instances when one instance is cancelled, and leave by the cancel boundary event', async () => {
    // given
    const event = boundary('c', 't', '<bpmn:cancelEventDefinition/>') + '<bpmn:endEvent id="undone"/>';
    const run = await TestRun.of(start + transaction + event + end + flows('start > t', 't > end', 'c > undone'));
    run.start();

    // when
    run.complete('a');
    run.complete('a');

    // then
    expect(run.tokens(), 'the third instance was cancelled too').to.deep.equal(['t', 'undo_a']);
    run.complete('undo_a');
    run.complete('undo_a');
    expect(run.completedElementIds()).to.include.members(['c', 'undone']).and.not.include('end');
    expect(run.state?.outcome).to.equal('completed');
  });

  it('should leave the loop after its cancellation even without a cancel boundary event', async () => {
    const run = await TestRun.of(start + transaction + end + flows('start > t', 't > end'));
    run.start();
    run.complete('a');
    run.complete('a');
    run.complete('undo_a');
    run.complete('undo_a');
    expect(run.state?.outcome).to.equal('completed');
  });
});
