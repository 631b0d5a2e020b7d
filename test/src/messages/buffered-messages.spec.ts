import type { JsonObject } from '@countersign/core';
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { captureError } from './capture-error.spec.support.js';
import { catchEvent, MessageHost, messageModel, throwEvent, receivingModel } from './messages.spec.support.js';

const HOUR = 3_600_000;

describe('messages: buffering for later receivers', () => {
  let host: MessageHost;

  before(async () => {
    host = await MessageHost.create();
    const { server } = host;
    await server.deploy(receivingModel('waiting', 'paid'));
    await server.deploy(receivingModel('also-waiting', 'paid'));
    const loopElements = `<bpmn:startEvent id="start" /><bpmn:exclusiveGateway id="again" />${catchEvent('wait', 'paid')}<bpmn:exclusiveGateway id="enough" default="more" /><bpmn:endEvent id="end" />`;
    const loopModel = messageModel('looping', loopElements, 'start > again', 'again > wait', 'wait > enough').replace(
      '</bpmn:process>',
      '<bpmn:sequenceFlow id="more" sourceRef="enough" targetRef="again" /><bpmn:sequenceFlow id="done" sourceRef="enough" targetRef="end"><bpmn:conditionExpression xsi:type="bpmn:tFormalExpression">=n = 20</bpmn:conditionExpression></bpmn:sequenceFlow></bpmn:process>',
    );
    await server.deploy(loopModel);
    const sendingModel = messageModel(
      'sending',
      `<bpmn:startEvent id="start" />${throwEvent('first', 'sent')}${throwEvent('second', 'sent')}<bpmn:endEvent id="end" />`,
      'start > first',
      'first > second',
      'second > end',
    );
    await server.deploy(sendingModel);
    await server.deploy(receivingModel('receiving', 'sent'));
  });

  after(() => host.server.close());

  it('should delete an unmatched message immediately if it is not buffered', async () => {
    // given
    const key = randomUUID();

    // when
    const response = await host.send('paid', key);
    const runId = await host.startRun('waiting', { key });

    // then
    expect(response).to.deep.equal({ runIds: [], startedRunIds: [], buffered: false, duplicate: false });
    await host.send('paid', key, { payload: { n: 2 } });
    await host.waitUntilEnded(runId);
    expect(await host.listReceivedPayloads(runId)).to.deep.equal([{ n: 2 }]);
  });

  it('should deliver a message to one run per workflow, including runs that wait later', async () => {
    // given
    const key = randomUUID();
    const waitingRunId = await host.startRun('waiting', { key });

    // when
    const response = await host.send('paid', key, { payload: { amount: 3 }, bufferForMs: HOUR });
    const otherRunId = await host.startRun('also-waiting', { key });
    const laterRunId = await host.startRun('waiting', { key });

    // then
    expect(response).to.deep.equal({ runIds: [waitingRunId], startedRunIds: [], buffered: true, duplicate: false });
    await host.waitUntilEnded(otherRunId);
    expect(await host.listReceivedPayloads(otherRunId)).to.deep.equal([{ amount: 3 }]);
    await host.send('paid', key, { payload: { amount: 4 } });
    await host.waitUntilEnded(laterRunId);
    expect(await host.listReceivedPayloads(laterRunId)).to.deep.equal([{ amount: 4 }]);
  });

  it('should deliver buffered messages one at a time, in the order of publication', async () => {
    // given
    const key = randomUUID();
    const numbers = Array.from({ length: 20 }, (_, index) => ({ n: index + 1 }));
    for (const payload of numbers)
      expect((await host.send('paid', key, { payload, bufferForMs: HOUR })).runIds).to.deep.equal([]);

    // when
    const runId = await host.startRun('looping', { key, n: 0 });

    // then
    await host.waitUntilEnded(runId);
    expect(await host.listReceivedPayloads(runId)).to.deep.equal(numbers);
  });

  it('should delete an expired message without delivering it', async () => {
    // given
    const key = randomUUID();
    const countBefore = await host.storage.countBufferedMessages(host.clock.time);
    await host.send('paid', key, { bufferForMs: 60_000 });
    expect(await host.storage.countBufferedMessages(host.clock.time)).to.equal(countBefore + 1);

    // when
    host.clock.setTo(host.clock.time + 60_000);
    const runId = await host.startRun('waiting', { key });

    // then
    expect(await host.storage.countBufferedMessages(host.clock.time)).to.equal(countBefore);
    await host.send('paid', key, { payload: { late: true } });
    await host.waitUntilEnded(runId);
    expect(await host.listReceivedPayloads(runId)).to.deep.equal([{ late: true }]);
  });

  it('should deliver a message once per id, and return its receivers to every repeated request', async () => {
    // given
    const key = randomUUID();
    const messageId = randomUUID();
    const waitingRunIds = [await host.startRun('waiting', { key }), await host.startRun('waiting', { key })];
    const publishPaid = () => host.send('paid', key, { messageId, payload: { n: 1 }, bufferForMs: HOUR });

    // when
    const responses = await Promise.all([publishPaid(), publishPaid(), publishPaid()]);
    responses.push(await publishPaid());

    // then
    expect(responses.map(({ duplicate }) => duplicate).sort()).to.deep.equal([false, true, true, true]);
    for (const { runIds, startedRunIds, buffered } of responses)
      expect({ runIds, startedRunIds, buffered }).to.deep.equal({
        runIds: [waitingRunIds[0]],
        startedRunIds: [],
        buffered: true,
      });
    expect(await host.listReceivedPayloads(waitingRunIds[1]!)).to.deep.equal([]);
  });

  it('should buffer a message of a throw event for a run that waits later', async () => {
    // given
    const key = randomUUID();
    await host.waitUntilEnded(await host.startRun('sending', { key }));

    // when
    const receivers = [await host.startRun('receiving', { key }), await host.startRun('receiving', { key })];

    // then
    for (const runId of receivers) await host.waitUntilEnded(runId);
    expect(await Promise.all(receivers.map((runId) => host.listReceivedPayloads(runId)))).to.deep.equal([[{}], [{}]]);
  });

  it('should refuse an invalid message', async () => {
    const payloads = ['{"text": "a\\u0000b"}', '{"list": [{"__proto__": 1}]}'].map((text) => ({
      payload: JSON.parse(text) as JsonObject,
    }));
    const times = [-1, 0.5, Number.NaN, Number.MAX_SAFE_INTEGER].map((bufferForMs) => ({ bufferForMs }));
    for (const invalidFields of [...payloads, ...times]) {
      expect(await captureError(host.send('paid', 'key', invalidFields))).to.have.property('code', 'invalid_message');
    }
    for (const [name, key] of [
      ['', 'key'],
      ['x'.repeat(256), 'key'],
      ['paid', 'x'.repeat(256)],
      ['paid', '\0'],
      ['\ud800', 'key'],
    ] as const) {
      expect(await captureError(host.send(name, key))).to.have.property('code', 'invalid_message');
    }
    expect((await host.send('x'.repeat(255), 'ä'.repeat(255), { bufferForMs: HOUR })).buffered).to.equal(true);
  });
});
