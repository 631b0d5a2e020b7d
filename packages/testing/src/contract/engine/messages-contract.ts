import type { CorrelatedMessage, CorrelateMessageRequest } from '@countersign/core';
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { serviceTask } from '../../host/process-model.js';
import type { CreateTestEngine } from '../../host/test-engine.js';
import { describePart } from './describe-part.js';
import {
  boundaryEvent,
  catchEvent,
  END,
  endEvent,
  message,
  sequence,
  signal,
  START,
  startEvent,
  throwEvent,
  workflow,
} from '../../host/elements.js';
import { CONTEXT, countSteps } from './engine-host.js';

const MODELS = [
  sequence('payment', START, catchEvent('wait', message('paid')), END),
  sequence('order', startEvent('ordered', message('ordered')), catchEvent('wait', message('delivered')), END),
  sequence('shop', START, throwEvent('send', message('paid')), END),
  workflow(
    'reminded',
    START +
      serviceTask('slow', 'work', 1) +
      boundaryEvent('reminder', 'slow', message('remind'), false) +
      END +
      endEvent('noted'),
    'start > slow',
    'slow > end',
    'reminder > noted',
  ),
  sequence('listener', START, catchEvent('listen', signal('alarm')), END),
  sequence('alarmed', startEvent('alarm', signal('alarm')), END),
  sequence('siren', START, throwEvent('sound', signal('siren')), END),
  sequence('neighbour', START, catchEvent('hear', signal('siren')), END),
];

/** Tests messages and signals. */
export function describeMessages(create: CreateTestEngine): void {
  describePart('messages and signals', create, { models: MODELS }, (getHost) => {
    const send = (
      messageName: string,
      correlationKey: string,
      overrides: Partial<CorrelateMessageRequest> = {},
    ): Promise<CorrelatedMessage> =>
      getHost().engine.correlateMessage({ context: CONTEXT, messageName, correlationKey, payload: {}, ...overrides });

    it('should correlate a message by its key with the run that has waited longest', async () => {
      // given
      const host = getHost();
      const [first, second] = [
        await host.startRun('payment', { key: 'A-1' }),
        await host.startRun('payment', { key: 'A-1' }),
      ];
      const other = await host.startRun('payment', { key: 'A-2' });

      // when
      const receipts = [await send('paid', 'A-1', { payload: { amount: 3 } }), await send('paid', 'A-1')];

      // then
      expect(receipts.map(({ runIds }) => runIds)).to.deep.equal([[first], [second]]);
      expect((await host.waitForEnd(first)).variables).to.deep.equal({ key: 'A-1', amount: 3 });
      await host.waitForEnd(second);
      expect(await host.viewer.getRun({ runId: other })).to.include({ outcome: null, status: 'blocked' });
    });

    it('should deliver a message with the same id once', async () => {
      // given
      const host = getHost();
      const [first, second] = [
        await host.startRun('payment', { key: 'B-1' }),
        await host.startRun('payment', { key: 'B-1' }),
      ];
      const messageId = randomUUID();
      const options = { messageId, bufferForMs: 3_600_000 };

      // when
      const receipts = [await send('paid', 'B-1', options), await send('paid', 'B-1', options)];

      // then
      expect(receipts.map(({ runIds, duplicate }) => ({ runIds, duplicate }))).to.deep.equal([
        { runIds: [first], duplicate: false },
        { runIds: [first], duplicate: true },
      ]);
      expect(await host.viewer.getRun({ runId: second })).to.include({ outcome: null });
    });

    it('should drop a message that no run waits for, unless it is buffered', async () => {
      // given
      const host = getHost();
      const [dropped, buffered] = [
        await send('paid', 'C-1'),
        await send('paid', 'C-2', { bufferForMs: 3_600_000, payload: { early: true } }),
      ];
      expect([dropped, buffered].map((each) => each.buffered)).to.deep.equal([false, true]);

      // when
      const [first, second] = [
        await host.startRun('payment', { key: 'C-1' }),
        await host.startRun('payment', { key: 'C-2' }),
      ];

      // then
      expect((await host.waitForEnd(second)).variables).to.include({ early: true });
      expect(await host.viewer.getRun({ runId: first })).to.include({ outcome: null });
    });

    it('should start a run by a message, and no second run with the same key while it is active', async () => {
      // given
      const host = getHost();
      const payload = { key: 'D-1', amount: 3 };

      // when
      const [first, repeat, other] = [
        await send('ordered', 'D-1', { payload }),
        await send('ordered', 'D-1', { payload }),
        await send('ordered', 'D-2', { payload: { key: 'D-2' } }),
      ];

      // then
      const runId = first.startedRunIds[0] ?? '';
      expect(first.startedRunIds).to.have.length(1);
      expect(repeat.startedRunIds).to.deep.equal([]);
      expect(other.startedRunIds).to.have.length(1);
      expect((await send('delivered', 'D-1')).runIds).to.deep.equal([runId]);
      expect((await host.waitForEnd(runId)).variables).to.deep.equal(payload);
      expect((await send('ordered', 'D-1', { payload })).startedRunIds).to.have.length(1);
    });

    it('should deliver a message that a run throws to another run', async () => {
      // given
      const host = getHost();
      const receiver = await host.startRun('payment', { key: 'E-1' });

      // when
      const sender = await host.startRun('shop', { key: 'E-1' });

      // then
      for (const runId of [sender, receiver]) expect(await host.waitForEnd(runId)).to.include({ outcome: 'completed' });
    });

    it('should deliver every message to a non-interrupting boundary event', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('reminded', { key: 'F-1' });
      const slow = await host.takeJob(runId);

      // when
      const receipts = [await send('remind', 'F-1'), await send('remind', 'F-1')];
      slow.complete();

      // then
      expect(receipts.map(({ runIds }) => runIds)).to.deep.equal([[runId], [runId]]);
      expect(countSteps(await host.waitForEnd(runId))).to.include({ slow: 1, reminder: 2, noted: 2, end: 1 });
    });

    it('should deliver one of several concurrent messages to a run that waits for one', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('payment', { key: 'G-1' });

      // when
      const receipts = await Promise.all([1, 2, 3].map((sender) => send('paid', 'G-1', { payload: { sender } })));

      // then
      await host.waitForEnd(runId);
      expect(receipts.flatMap(({ runIds }) => runIds)).to.deep.equal([runId]);
      expect(await host.countEvents(runId, 'message.received')).to.equal(1);
    });

    it('should broadcast a signal to all runs that wait for it, and start runs', async () => {
      // given
      const host = getHost();
      const listeners = [await host.startRun('listener'), await host.startRun('listener')];

      // when
      await host.engine.broadcastSignal({ context: CONTEXT, signalName: 'alarm', payload: { floor: 3 } });

      // then
      for (const runId of listeners) expect((await host.waitForEnd(runId)).variables).to.deep.equal({ floor: 3 });
      const started = await host.waitForCount('alarmed', 1);
      expect((await host.waitForEnd(started[0] ?? '')).variables).to.deep.equal({ floor: 3 });
      const late = await host.startRun('listener');
      expect(await host.viewer.getRun({ runId: late })).to.include({ status: 'blocked' });
      expect(await host.listRunIds('alarmed')).to.have.length(1);
    });

    it('should broadcast a signal that a run throws', async () => {
      // given
      const host = getHost();
      const neighbours = [await host.startRun('neighbour'), await host.startRun('neighbour')];

      // when
      await host.waitForEnd(await host.startRun('siren'));

      // then
      for (const runId of neighbours) expect(await host.waitForEnd(runId)).to.include({ outcome: 'completed' });
    });

    it('should receive an inbound event once', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('payment', { key: 'H-1' });
      const idempotencyKey = randomUUID();
      const receive = () =>
        host.engine.receiveEvent({
          context: CONTEXT,
          via: 'test',
          source: 'shop',
          idempotencyKey,
          bodyDigest: 'a'.repeat(64),
          oncePerBody: false,
          messageName: 'paid',
          correlationKey: 'H-1',
          payload: { amount: 3 },
          bufferForMs: 0,
        });

      // when
      const [first, second] = [await receive(), await receive()];

      // then
      expect(first).to.deep.include({ duplicate: false, resumedRunIds: [runId] });
      expect(second).to.deep.include({ duplicate: true, eventId: first.eventId });
      expect((await host.waitForEnd(runId)).variables).to.include({ amount: 3 });
      expect(await host.countEvents(runId, 'message.received')).to.equal(1);
    });
  });
}
