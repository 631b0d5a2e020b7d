import type { Change } from '@countersign/contract';
import { expect } from 'chai';
import { CHANGED_ROWS, changesRows, findStaleQueries } from './find-stale-queries.js';
import { queryKeys } from './query-keys.js';

describe('findStaleQueries', () => {
  const getPause = (key: readonly unknown[], change: Partial<Change>): number | undefined =>
    findStaleQueries({
      at: '2026-12-01T10:00:00.000Z',
      type: 'question.asked',
      runId: 'run-1',
      workflowId: 'release',
      parentRunId: null,
      seq: 1,
      stepId: null,
      elementId: null,
      data: {},
      ...change,
    }).find((stale) => JSON.stringify(stale.key) === JSON.stringify(key))?.maxPauseMs;

  it('should reload lists of questions less often than a displayed question', () => {
    const change = { data: { questionId: 'question-1' } };
    expect(getPause(queryKeys.question('question-1'), change)).to.be.lessThan(1_000);
    expect(getPause(['questions'], change)).to.equal(1_000);
    expect(getPause(['question-counts'], change)).to.equal(5_000);
    expect(getPause(['inbox-found'], change)).to.equal(1_000);
    expect(getPause(['question'], change)).to.equal(undefined);
  });

  it('should reload the comments and the row of an approval after a comment, but not the approval', () => {
    const change = { type: 'approval.commented', data: { approvalId: 'approval-1' } } as const;
    expect(getPause(['comments'], change)).to.be.lessThan(1_000);
    expect(getPause([CHANGED_ROWS], change)).to.be.lessThan(1_000);
    expect(getPause(queryKeys.approval('approval-1'), change)).to.equal(undefined);
    expect(getPause(['inbox-counts'], change)).to.equal(undefined);
    expect(getPause(['comments'], { type: 'personal_data.erased' })).to.be.lessThan(1_000);
  });

  it('should reload the rows of all rounds after a comment on one of them', () => {
    expect(changesRows('approval.commented')).to.equal(true);
    expect(changesRows('question.answered')).to.equal(true);
    expect(changesRows('step.completed')).to.equal(false);
  });

  it('should reload all questions if a run ends, and none if a step does', () => {
    expect(getPause(['question'], { type: 'run.cancelled' })).to.be.lessThan(1_000);
    expect(getPause(['questions'], { type: 'run.cancelled' })).to.equal(1_000);
    expect(getPause(['questions'], { type: 'step.completed' })).to.equal(undefined);
  });
});
