import { expect } from 'chai';
import type { RunWrite } from '@countersign/core/ports';
import { LocalChangeBuffer } from './local-change-buffer.js';

const RUN = '01a203ef-7786-736d-a248-d7434faf6ef6';

/** Returns a run write with this number of events. */
function written(events: number, runId = RUN): RunWrite {
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

const kept = (own: LocalChangeBuffer, first = 0n) =>
  own.since(first).map(({ txid, changes }) => [txid, changes.length]);

describe('LocalChangeBuffer', () => {
  let own: LocalChangeBuffer;

  beforeEach(() => {
    own = new LocalChangeBuffer();
  });

  it('should return the changes from a transaction on, in feed order, while a reader follows', () => {
    // given
    own.since(0n);

    // when
    own.note(7n, [written(2, RUN.replace('01', '02')), written(1)]);
    own.note(8n, [written(3)]);

    // then
    expect(kept(own)).to.deep.equal([
      [7n, 3],
      [8n, 3],
    ]);
    expect(kept(own, 8n)).to.deep.equal([[8n, 3]]);
    expect(own.since(7n)[0]?.changes.map(({ runId }) => runId)).to.deep.equal([
      RUN,
      RUN.replace('01', '02'),
      RUN.replace('01', '02'),
    ]);
  });

  it('should keep nothing before the first read', () => {
    own.note(7n, [written(1)]);
    expect(kept(own)).to.deep.equal([]);
  });

  it('should stop keeping changes when no reader follows, and start again after the next read', () => {
    // given
    own.since(0n);
    own.note(7n, [written(1_999)]);
    expect(kept(own)).to.deep.equal([[7n, 1_999]]);

    // when
    for (let txid = 8n; txid < 28n; txid += 1n) own.note(txid, [written(1_000)]);
    own.note(28n, [written(1)]);

    // then
    expect(kept(own)).to.deep.equal([]);
    own.note(29n, [written(1)]);
    expect(kept(own)).to.deep.equal([[29n, 1]]);
  });

  it('should keep the newest changes for a late reader', () => {
    own.since(0n);
    for (let txid = 8n; txid < 27n; txid += 1n) own.note(txid, [written(1_000)]);
    expect(kept(own)).to.deep.equal([
      [25n, 1_000],
      [26n, 1_000],
    ]);
  });

  it('should drop whole transactions when it exceeds its capacity', () => {
    // given
    own.since(0n);
    own.note(7n, [written(1_500)]);
    own.since(0n);

    // when
    own.note(8n, [written(600)]);

    // then
    expect(kept(own)).to.deep.equal([[8n, 600]]);
  });
});
