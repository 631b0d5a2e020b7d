import { ApiError, type Change } from '@countersign/core';
import { expect } from 'chai';
import { ChangeFeedPoller } from './change-feed-poller.js';

const silentLog = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** In-memory storage in which a feed position is the number of changes before it. */
class InMemoryStorage {
  readonly changes: Change[] = [];
  polls = 0;
  isUnavailable = false;
  absences = '0';

  add(runId: string): void {
    const seq = this.changes.filter((change) => change.runId === runId).length + 1;
    this.changes.push({
      runId,
      workflowId: 'w',
      parentRunId: null,
      type: 'step.completed',
      seq,
      at: 0,
      stepId: null,
      elementId: null,
      dataText: '{}',
    });
  }

  async getFeedPosition(): Promise<string> {
    return String(this.changes.length);
  }

  async listChangesAfter(
    position: string,
    limit: number,
  ): Promise<{ position: string; changes: Change[]; absences: string }> {
    this.polls += 1;
    if (this.isUnavailable) throw new Error('down');
    const from = Number(position);
    if (!Number.isInteger(from)) throw new ApiError('invalid_cursor', 'The position is not a number.');
    const changes = this.changes.slice(from, from + limit);
    return { position: String(from + changes.length), changes, absences: this.absences };
  }
}

describe('ChangeFeedPoller', () => {
  let storage: InMemoryStorage;
  let feed: ChangeFeedPoller;
  const neverAborted = new AbortController().signal;

  beforeEach(() => {
    storage = new InMemoryStorage();
    feed = new ChangeFeedPoller(storage, silentLog);
  });

  it('should serve all listeners with one poll, and poll only while listeners exist', async () => {
    // given
    storage.add('before');
    const [stopFirstListener, stopSecondListener] = await Promise.all([feed.listen(), feed.listen()]);
    const from = feed.position;

    // when
    storage.add('r1');
    await Promise.all([feed.waitForChanges(neverAborted), feed.waitForChanges(neverAborted)]);

    // then
    expect(feed.getBatchAfter(from)?.changes.map((change) => change.runId)).to.deep.equal(['r1']);
    expect(feed.position).to.equal('2');
    stopFirstListener();
    stopSecondListener();
    stopSecondListener();
    const { polls } = storage;
    await feed.listen().then((stopListening) => stopListening());
    expect(storage.polls, 'a new listener reads only once').to.equal(polls + 1);
    expect(() => feed.position).to.throw('no listeners');
  });

  it('should wake a watcher of a run for changes that occurred between two polls', async () => {
    const stopListening = await feed.listen();
    const watch = feed.watch('r1');
    storage.add('r2');
    storage.add('r1');
    await feed.waitForChanges(neverAborted);
    await watch.waitForChange(neverAborted);
    const controller = new AbortController();
    const waiting = watch.waitForChange(controller.signal);
    controller.abort();
    await waiting;
    watch.stop();
    stopListening();
  });

  it('should wake listeners when absences change, without adding a change or moving the position', async () => {
    // given
    const stopListening = await feed.listen();
    const { position, absenceChangeCount } = feed;

    // when
    storage.absences = '1';
    await feed.waitForChanges(neverAborted);

    // then
    expect(feed.absenceChangeCount).to.equal(absenceChangeCount + 1);
    expect(feed.position).to.equal(position);
    stopListening();
  });

  it('should continue after a storage failure', async () => {
    const stopListening = await feed.listen();
    storage.isUnavailable = true;
    storage.polls = 0;
    storage.add('r1');
    while (storage.polls === 0) await new Promise(setImmediate);
    storage.isUnavailable = false;
    await feed.waitForChanges(neverAborted);
    expect(feed.position).to.equal('1');
    stopListening();
  });
});
