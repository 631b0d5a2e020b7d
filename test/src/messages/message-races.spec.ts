import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { waitUntil } from '@countersign/testing';
import { buildMessage } from './build-message.spec.support.js';
import { MessageHost, messageModel, messageStartEvent, receivingModel } from './messages.spec.support.js';

const HOUR = 3_600_000;

describe('messages: two servers on one database', () => {
  let one: MessageHost;
  let two: MessageHost;

  before(async () => {
    one = await MessageHost.create();
    two = await one.createSecondServer();
    await one.server.deploy(receivingModel('waiting', 'paid'));
    await one.server.deploy(
      messageModel('brief', `${messageStartEvent('start', 'brief')}<bpmn:endEvent id="end" />`, 'start > end'),
    );
  });

  after(async () => {
    await two.server.close();
    await one.server.close();
  });

  it('should deliver each message to exactly one run when messages and runs arrive concurrently', async () => {
    // given
    const keys = Array.from({ length: 10 }, () => randomUUID());
    const numbers = [1, 2, 3];
    const servers = [one, two] as const;

    // when messages and runs arrive concurrently at both servers
    const work = keys.flatMap((key, at) =>
      numbers.map(async (n) => {
        const [runId] = await Promise.all([
          servers[(at + n) % 2]!.startRun('waiting', { key }),
          servers[n % 2]!.send('paid', key, { payload: { key, n }, bufferForMs: HOUR }),
        ]);
        return { runId, key };
      }),
    );
    const started = await Promise.all(work);

    // then
    const received = await Promise.all(
      started.map(async ({ runId, key }) => {
        await one.waitUntilEnded(runId);
        const payloads = await one.receivedPayloads(runId);
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
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? one : two).send('brief', key, { bufferForMs: HOUR })),
    );

    // then
    const runIds = new Set(answers.flatMap(({ startedRunIds }) => startedRunIds));
    await waitUntil('all of them have started a run', async () => (await one.runs('brief')).length === 20);
    expect(runIds.size).to.be.at.most(20);
    expect(new Set((await one.runs('brief')).map(({ outcome }) => outcome))).to.deep.equal(new Set(['completed']));
  });

  it('should deliver a message that a failed server stored but did not deliver', async () => {
    // given: a message that no server correlates
    const key = randomUUID();
    const runId = await one.startRun('waiting', { key });

    // when
    await one.storage.publishMessage(buildMessage('paid', key, one.clock.time), 0);

    // then
    await one.waitUntilEnded(runId);
    expect(await one.receivedPayloads(runId)).to.deep.equal([{ left: 'behind' }]);
  });
});
