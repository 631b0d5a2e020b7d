import { expect } from 'chai';
import type { RunEvent } from '@countersign/contract';
import { filterEvents, buildTimelineRows } from './timeline-rows.js';

let seq = 0;
const createEvent = (stepId: string | null, second: number, type: RunEvent['type'] = 'step.started'): RunEvent => ({
  seq: (seq += 1),
  at: new Date(Date.UTC(2026, 10, 22) + second * 1_000).toISOString(),
  type,
  version: 1,
  stepId,
  elementId: stepId,
  actor: null,
  data: {},
  erased: false,
  hash: '',
});

describe('timeline of run events', () => {
  beforeEach(() => {
    seq = 0;
  });

  it('should group consecutive events of a step under its name and show long pauses', () => {
    // given
    const events = [
      createEvent(null, 0, 'run.started'),
      createEvent('a', 1),
      createEvent('b', 2),
      createEvent('b', 3),
      createEvent('b', 90),
      createEvent('b', 91),
      createEvent(null, 500),
    ];
    // when
    const rows = buildTimelineRows(events);
    // then
    expect(
      rows.map((row) =>
        row.kind === 'gap'
          ? `gap ${row.ms}`
          : row.kind === 'step'
            ? `step ${row.elementId}`
            : `${row.inStep ? '  ' : ''}${row.event.seq}`,
      ),
    ).to.deep.equal(['1', '2', 'step b', '  3', '  4', 'gap 87000', 'step b', '  5', '  6', 'gap 409000', '7']);
    expect(new Set(rows.map(({ key }) => key)).size).to.equal(rows.length);
  });

  it('should return the events that match both filters', () => {
    const events = [createEvent('a', 0), createEvent('a', 1, 'approval.voted'), createEvent('b', 2)];
    const seqs = (kind?: 'step' | 'approval', elementId?: string): number[] =>
      filterEvents(events, { kind, elementId }).map((each) => each.seq);
    expect([seqs(), seqs('step'), seqs(undefined, 'a'), seqs('step', 'a')]).to.deep.equal([
      [1, 2, 3],
      [1, 3],
      [1, 2],
      [1],
    ]);
  });
});
