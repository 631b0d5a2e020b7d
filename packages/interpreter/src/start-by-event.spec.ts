import { expect } from 'chai';
import type { AdvanceResult, JsonObject } from '@countersign/model';
import { approval, end, flows, job, RUN_ID, TestRun, user } from './interpreter.spec.support.js';

const message = (id: string): string => `<bpmn:messageEventDefinition messageRef="${id}"/>`;
const signal = (id: string): string => `<bpmn:signalEventDefinition signalRef="${id}"/>`;
const catchEvent = (id: string, definition: string): string =>
  `<bpmn:intermediateCatchEvent id="${id}">${definition}</bpmn:intermediateCatchEvent>`;

function startByEvent(run: TestRun, elementId: string, payload: JsonObject = {}, trigger = 0): AdvanceResult {
  return run.do({
    type: 'start',
    actor: user('starter'),
    runId: RUN_ID,
    workflowVersion: 1,
    workflowDigest: 'sha256:1',
    businessKey: null,
    inputs: {},
    startEvent: { elementId, trigger, payload },
  });
}

function correlate(run: TestRun, elementId: string, payload: JsonObject): AdvanceResult {
  const { subscriptionId } = run.wait(elementId, 'message');
  return run.do({ type: 'message.correlate', actor: user('system'), subscriptionId, payload });
}

describe('advance(): a run started by an event', () => {
  const gatewayModel = (type: string): string =>
    `<bpmn:eventBasedGateway id="g" instantiate="true" eventGatewayType="${type}"/>${catchEvent('paid', message('payment'))}${catchEvent('sent', message('shipment'))}` +
    `${job('book')}${job('note')}${end}<bpmn:endEvent id="end2"/>${flows('g > paid', 'g > sent', 'paid > book', 'sent > note', 'book > end', 'note > end2')}`;

  it('should continue after the event of an exclusive event-based gateway', async () => {
    // given
    const run = await TestRun.of(gatewayModel('Exclusive'));

    // when
    startByEvent(run, 'sent', { key: 'k', weight: 2 });

    // then
    expect(run.tokens()).to.deep.equal(['note']);
    expect(run.completedElementIds()).to.deep.equal(['g', 'sent']);
    expect(run.variables()).to.deep.equal({ key: 'k', weight: 2 });
    run.complete('note');
    expect(run.state?.outcome).to.equal('completed');
  });

  it('should wait for the other events of a parallel event-based gateway, with the key from the first payload', async () => {
    // given
    const run = await TestRun.of(gatewayModel('Parallel'));

    // when
    startByEvent(run, 'sent', { key: 'k' });

    // then
    expect(run.tokens()).to.have.members(['note', 'paid']);
    expect(run.wait('paid', 'message').correlationKey).to.equal('k');
    run.complete('note');
    expect(run.state?.outcome).to.equal(null);
    correlate(run, 'paid', { amount: 3 });
    run.complete('book');
    expect(run.state?.outcome).to.equal('completed');
    expect(run.variables()).to.deep.equal({ key: 'k', amount: 3 });
  });

  const parallelMultipleStart = `<bpmn:startEvent id="start" parallelMultiple="true">${message('payment')}${signal('open')}${message('shipment')}</bpmn:startEvent>${job('book')}${end}${flows('start > book', 'book > end')}`;

  it('should wait at a parallel multiple start event for the remaining events', async () => {
    // given
    const run = await TestRun.of(parallelMultipleStart);

    // when
    startByEvent(run, 'start', { key: 'k' }, 2);

    // then
    expect(run.tokens()).to.deep.equal(['start']);
    expect(run.project().status).to.equal('blocked');
    expect(
      (run.at('start').waits ?? []).map((wait) => ('trigger' in wait ? [wait.kind, wait.trigger] : wait.kind)),
    ).to.deep.equal([
      ['message', 0],
      ['signal', 1],
    ]);
    const { subscriptionId } = run.wait('start', 'signal');
    run.do({ type: 'signal.receive', actor: user('system'), subscriptionId, payload: {} });
    correlate(run, 'start', { amount: 3 });
    expect(run.tokens()).to.deep.equal(['book']);
    expect(run.variables()).to.deep.equal({ key: 'k', amount: 3 });
    run.complete('book');
    expect(run.completedElementIds()).to.deep.equal(['start', 'book', 'end']);
  });

  it('should refuse to start if the first event has no correlation key for the other events', async () => {
    const run = await TestRun.of(parallelMultipleStart);
    const { refusal, requests } = startByEvent(run, 'start', {}, 2);
    expect(refusal?.code).to.equal('inputs_invalid');
    expect(refusal?.message).to.include('correlation key');
    expect(requests).to.deep.equal([]);
  });

  it('should refuse an event payload that contains the result variable of an approval', async () => {
    const run = await TestRun.of(
      `<bpmn:startEvent id="start">${message('payment')}</bpmn:startEvent>${approval('ask')}${end}${flows('start > ask', 'ask > end')}`,
    );
    const { refusal } = startByEvent(run, 'start', { approval: { decision: 'approve' } });
    expect(refusal?.code).to.equal('result_variable_reserved');
  });
});
