import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { waitUntil } from '@countersign/testing';
import { catchEvent, MessageHost, messageModel, messageStartEvent } from './messages.spec.support.js';

const HOUR = 3_600_000;

/** Returns the model of a workflow that starts with one message and ends after another. */
const sessionModel = (id: string): string =>
  messageModel(
    id,
    `${messageStartEvent('start', `open-${id}`)}${catchEvent('wait', `close-${id}`)}<bpmn:endEvent id="end" />`,
    'start > wait',
    'wait > end',
  );

describe('messages that start runs', () => {
  let host: MessageHost;

  before(async () => {
    host = await MessageHost.create();
  });

  after(() => host.server.close());

  async function waitForRun(workflowId: string, status: string): Promise<string> {
    return waitUntil(
      `a run of ${workflowId} is ${status}`,
      async () => (await host.listRuns(workflowId)).find((run) => run.status === status)?.runId,
    );
  }

  it('should start one run per correlation key at a time, and the next run in order when a run ends', async () => {
    // given
    await host.server.deploy(sessionModel('chat'));
    const key = randomUUID();
    const responses = [];
    for (const n of [1, 2, 3])
      responses.push(await host.send('open-chat', key, { payload: { key, n }, bufferForMs: HOUR }));
    const otherMessage = await host.send('open-chat', randomUUID(), { payload: { key: 'else' } });
    expect(otherMessage.startedRunIds).to.have.length(1);
    await host.cancel(otherMessage.startedRunIds[0]!);
    expect(responses.map(({ startedRunIds, buffered }) => [startedRunIds.length, buffered])).to.deep.equal([
      [1, true],
      [0, true],
      [0, true],
    ]);
    // A message without buffering is lost.
    expect((await host.send('open-chat', key, { payload: { key, n: 9 } })).startedRunIds).to.deep.equal([]);

    // when the first run completes and the second is cancelled
    const orderedRunIds = [responses[0]!.startedRunIds[0]!];
    await host.send('close-chat', key, { payload: { key } });
    await host.waitUntilEnded(orderedRunIds[0]!);
    orderedRunIds.push(
      await waitUntil(
        'the second run',
        async () =>
          (await host.listRuns('chat')).find(({ runId, outcome }) => outcome === null && !orderedRunIds.includes(runId))
            ?.runId,
      ),
    );
    await host.cancel(orderedRunIds[1]!);
    orderedRunIds.push(
      await waitUntil(
        'the third run',
        async () =>
          (await host.listRuns('chat')).find(({ runId, outcome }) => outcome === null && !orderedRunIds.includes(runId))
            ?.runId,
      ),
    );
    await host.send('close-chat', key, { payload: { key } });
    await host.waitUntilEnded(orderedRunIds[2]!);

    // then
    const eventsJson = await Promise.all(
      orderedRunIds.map(async (runId) =>
        JSON.stringify((await host.storage.listRunEvents(runId, 0, 100)).map((event) => event.private)),
      ),
    );
    expect(eventsJson.map((text) => /"n":(\d)/.exec(text)?.[1])).to.deep.equal(['1', '2', '3']);
    expect(await host.listRuns('chat')).to.have.length(4);
    // The key is available again.
    expect((await host.send('open-chat', key, { payload: { key } })).startedRunIds).to.have.length(1);
  });

  it('should start a run for each message without a correlation key', async () => {
    // given
    await host.server.deploy(sessionModel('walk-in'));

    // when
    const responses = [
      await host.send('open-walk-in', '', { payload: { key: 'a' } }),
      await host.send('open-walk-in', '', { payload: { key: 'b' } }),
    ];

    // then
    expect(responses.map(({ startedRunIds }) => startedRunIds.length)).to.deep.equal([1, 1]);
  });

  it('should not start a run of a workflow that was deployed after the message was published', async () => {
    // given
    const key = randomUUID();
    await host.server.deploy(sessionModel('early'));
    const { startedRunIds } = await host.send('open-early', key, { payload: { key }, bufferForMs: HOUR });
    const laterModel = sessionModel('late')
      .replaceAll('open-late', 'open-early')
      .replaceAll('close-late', 'close-early');

    // when
    await host.server.deploy(laterModel);

    // then
    await host.send('close-early', key, { payload: { key } });
    await host.waitUntilEnded(startedRunIds[0]!);
    const next = await host.send('open-early', key, { payload: { key } });
    expect(next.startedRunIds).to.have.length(2);
    expect(await host.listRuns('late')).to.have.length(1);
  });

  it('should resume a waiting run instead of starting another run of the same workflow', async () => {
    // given
    const elements = `${messageStartEvent('start', 'both')}<bpmn:startEvent id="plain" />${catchEvent('wait', 'both')}<bpmn:endEvent id="end" />`;
    await host.server.deploy(messageModel('both', elements, 'plain > wait', 'wait > end', 'start > end'));
    const key = randomUUID();
    const runId = await host.startRun('both', { key });

    // when
    const first = await host.send('both', key);
    const second = await host.send('both', key);

    // then
    expect([first.runIds, first.startedRunIds]).to.deep.equal([[runId], []]);
    expect([second.runIds, second.startedRunIds.length]).to.deep.equal([[], 1]);
    expect(await waitForRun('both', 'completed')).to.be.a('string');
  });
});
