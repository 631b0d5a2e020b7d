import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { waitUntil } from '@countersign/testing';
import { buildMessage } from './build-message.spec.support.js';
import { MessageHost, messageModel, messageStartEvent, receivingModel } from './messages.spec.support.js';

const HOUR = 3_600_000;

describe('messages: two servers on one database', () => {
  let firstHost: MessageHost;
  let secondHost: MessageHost;

  before(async () => {
    firstHost = await MessageHost.create();
    secondHost = await firstHost.createSecondServer();
    await firstHost.server.deploy(receivingModel('waiting', 'paid'));
    await firstHost.server.deploy(
      messageModel('brief', `${messageStartEvent('start', 'brief')}<bpmn:endEvent id="end" />`, 'start > end'),
    );
  });

  after(async () => {
    await secondHost.server.close();
    await firstHost.server.close();
  });

  it('should deliver each message to exactly one run when messages and runs arrive concurrently', async () => {
    // given
    const keys = Array.from({ length: 10 }, () => randomUUID());
    const numbers = [1, 2, 3];
    const servers = [firstHost, secondHost] as const;

    // when messages and runs arrive concurrently at both servers
    const work = keys.flatMap((key, index) =>
      numbers.map(async (n) => {
        const [runId] = await Promise.all([
          servers[(index + n) % 2]!.startRun('waiting', { key }),
          servers[n % 2]!.send('paid', key, { payload: { key, n }, bufferForMs: HOUR }),
        ]);
        return { runId, key };
      }),
    );
    const started = await Promise.all(work);

    // then
    const received = await Promise.all(
      started.map(async ({ runId, key }) => {
        await firstHost.waitUntilEnded(runId);
        const payloads = await firstHost.listReceivedPayloads(runId);
        expect(payloads).to.have.length(1);
        expect(payloads[0]).to.include({ key });
        return `${key} ${String(payloads[0]?.['n'])}`;
      }),
    );
    expect(received.toSorted()).to.deep.equal(keys.flatMap((key) => numbers.map((n) => `${key} ${n}`)).toSorted());
  });

  it('should start one run for each message with the same correlation key', async () => {
    // given
    const key = randomUUID();

    // when
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        (n % 2 === 0 ? firstHost : secondHost).send('brief', key, { bufferForMs: HOUR }),
      ),
    );

    // then
    const runIds = new Set(responses.flatMap(({ startedRunIds }) => startedRunIds));
    await waitUntil('every message has started a run', async () => (await firstHost.listRuns('brief')).length === 20);
    expect(runIds.size).to.be.at.most(20);
    expect(new Set((await firstHost.listRuns('brief')).map(({ outcome }) => outcome))).to.deep.equal(
      new Set(['completed']),
    );
  });

  it('should deliver a message that a failed server stored but did not deliver', async () => {
    // given: a message that no server correlates
    const key = randomUUID();
    const runId = await firstHost.startRun('waiting', { key });

    // when
    await firstHost.storage.publishMessage(buildMessage('paid', key, firstHost.clock.time), 0);

    // then
    await firstHost.waitUntilEnded(runId);
    expect(await firstHost.listReceivedPayloads(runId)).to.deep.equal([{ left: 'behind' }]);
  });
});
