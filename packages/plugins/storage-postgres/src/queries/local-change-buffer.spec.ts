import { expect } from 'chai';
import type { RunWrite } from '@countersign/core/ports';
import { LocalChangeBuffer } from './local-change-buffer.js';

const RUN = '01a203ef-7786-736d-a248-d7434faf6ef6';

/** Returns a run write with this number of events. */
function buildWrite(events: number, runId = RUN): RunWrite {
  const run = { runId, workflowId: 'w', parentRunId: null };
  return {
    run,
    events: Array.from({ length: events }, (_, index) => ({
      type: 'step.started',
      seq: index + 1,
      at: 0,
      stepId: null,
      elementId: null,
      dataText: '{}',
    })),
  } as unknown as RunWrite;
}

const countChangesByTxid = (buffer: LocalChangeBuffer, first = 0n) =>
  buffer.readSince(first).map(({ txid, changes }) => [txid, changes.length]);

describe('LocalChangeBuffer', () => {
  let buffer: LocalChangeBuffer;

  beforeEach(() => {
    buffer = new LocalChangeBuffer();
  });

  it('should return the changes from a given transaction onwards, in feed order, while the feed is read', () => {
    // given
    buffer.readSince(0n);

    // when
    buffer.add(7n, [buildWrite(2, RUN.replace('01', '02')), buildWrite(1)]);
    buffer.add(8n, [buildWrite(3)]);

    // then
    expect(countChangesByTxid(buffer)).to.deep.equal([
      [7n, 3],
      [8n, 3],
    ]);
    expect(countChangesByTxid(buffer, 8n)).to.deep.equal([[8n, 3]]);
    expect(buffer.readSince(7n)[0]?.changes.map(({ runId }) => runId)).to.deep.equal([
      RUN,
      RUN.replace('01', '02'),
      RUN.replace('01', '02'),
    ]);
  });

  it('should keep nothing before the first read', () => {
    buffer.add(7n, [buildWrite(1)]);
    expect(countChangesByTxid(buffer)).to.deep.equal([]);
  });

  it('should stop keeping changes when the feed is no longer read, and start again after the next read', () => {
    // given
    buffer.readSince(0n);
    buffer.add(7n, [buildWrite(1_999)]);
    expect(countChangesByTxid(buffer)).to.deep.equal([[7n, 1_999]]);

    // when
    for (let txid = 8n; txid < 28n; txid += 1n) buffer.add(txid, [buildWrite(1_000)]);
    buffer.add(28n, [buildWrite(1)]);

    // then
    expect(countChangesByTxid(buffer)).to.deep.equal([]);
    buffer.add(29n, [buildWrite(1)]);
    expect(countChangesByTxid(buffer)).to.deep.equal([[29n, 1]]);
  });

  it('should keep the newest changes for a slow reader', () => {
    buffer.readSince(0n);
    for (let txid = 8n; txid < 27n; txid += 1n) buffer.add(txid, [buildWrite(1_000)]);
    expect(countChangesByTxid(buffer)).to.deep.equal([
      [25n, 1_000],
      [26n, 1_000],
    ]);
  });

  it('should drop whole transactions when it exceeds its capacity', () => {
    // given
    buffer.readSince(0n);
    buffer.add(7n, [buildWrite(1_500)]);
    buffer.readSince(0n);

    // when
    buffer.add(8n, [buildWrite(600)]);

    // then
    expect(countChangesByTxid(buffer)).to.deep.equal([[8n, 600]]);
  });
});
