import { expect } from 'chai';
import { approval, end, flows, job, script, start, TestRun, user } from './interpreter.spec.support.js';

/** A non-interrupting event sub-process that increments `n` each time `x` becomes greater than 5. */
const COUNTER_SUB_PROCESS =
  '<bpmn:subProcess id="e" triggeredByEvent="true"><bpmn:startEvent id="e_start" isInterrupting="false"><bpmn:conditionalEventDefinition>' +
  '<bpmn:condition xsi:type="bpmn:tFormalExpression">=x &gt; 5</bpmn:condition></bpmn:conditionalEventDefinition></bpmn:startEvent>' +
  `${script('count', '=n + 1', 'n')}<bpmn:endEvent id="h_end"/>${flows('e_start > count', 'count > h_end')}</bpmn:subProcess>`;
const catchEvent = (id: string, definition: string): string =>
  `<bpmn:intermediateCatchEvent id="${id}">${definition}</bpmn:intermediateCatchEvent>`;

describe('advance(): conditional events', () => {
  async function startWaitingRun(step: string, id: string): Promise<TestRun> {
    const run = await TestRun.of(start + step + end + flows(`start > ${id}`, `${id} > end`) + COUNTER_SUB_PROCESS);
    run.start({ x: 1, n: 0, key: 'k' });
    expect(run.variables()['n']).to.equal(0);
    return run;
  }

  it('should trigger when the output of a job makes the condition true', async () => {
    const run = await startWaitingRun(job('a'), 'a');
    run.complete('a', { x: 9 });
    expect(run.variables()['n']).to.equal(1);
  });

  it('should trigger when the payload of a message makes the condition true', async () => {
    const run = await startWaitingRun(catchEvent('m', '<bpmn:messageEventDefinition messageRef="paid"/>'), 'm');
    const { subscriptionId } = run.wait('m', 'message');
    run.do({ type: 'message.correlate', actor: user('shop'), subscriptionId, payload: { x: 9 } });
    expect(run.variables()['n']).to.equal(1);
  });

  it('should trigger when the payload of a signal makes the condition true', async () => {
    const run = await startWaitingRun(catchEvent('s', '<bpmn:signalEventDefinition signalRef="halt"/>'), 's');
    const { subscriptionId } = run.wait('s', 'signal');
    run.do({ type: 'signal.receive', actor: user('shop'), subscriptionId, payload: { x: 9 } });
    expect(run.variables()['n']).to.equal(1);
  });

  it('should trigger when an operator changes variables during a recovery', async () => {
    const run = await startWaitingRun(job('a'), 'a');
    run.fail('a', false);
    run.do({ type: 'recover', actor: user('op'), steps: null, variables: { x: 9 }, comment: null });
    expect(run.variables()['n']).to.equal(1);
    expect(run.wait('a', 'job')).to.include({ kind: 'job' });
  });

  it('should trigger when the output mapping of an approval makes the condition true', async () => {
    const run = await startWaitingRun(
      approval('ok', '<zeebe:ioMapping><zeebe:output source="=9" target="x"/></zeebe:ioMapping>'),
      'ok',
    );
    run.vote('ok', 'approve');
    expect(run.variables()['n']).to.equal(1);
  });

  it('should trigger when the inputs of a run make the condition true', async () => {
    const run = await TestRun.of(start + job('a') + end + flows('start > a', 'a > end') + COUNTER_SUB_PROCESS);
    run.start({ x: 9, n: 0 });
    expect(run.variables()['n']).to.equal(1);
  });
});
