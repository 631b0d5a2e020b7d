import { expect } from 'chai';
import { CommentCollector, PAUSE_MS, type CommentedApproval } from './comment-collector.js';

describe('CommentCollector', () => {
  let handled: [string, string[]][];
  let pauses: { ms: number; end(): void }[];
  let collector: CommentCollector;

  beforeEach(() => {
    handled = [];
    pauses = [];
    collector = new CommentCollector(
      ({ approvalId, commentIds }: CommentedApproval) => {
        handled.push([approvalId, [...commentIds]]);
        return Promise.resolve();
      },
      (ms) => new Promise((end) => pauses.push({ ms, end })),
    );
  });

  const add = (approvalId: string, commentId: string): void =>
    collector.add({ runId: 'run-1', data: { approvalId, commentId } });

  async function settle(): Promise<void> {
    // The waiting code uses only promises, so microtasks are enough.
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  }

  it('should handle the first comment at once, and those that follow together', async () => {
    // given
    add('a', '1');
    await settle();
    expect(handled).to.deep.equal([['a', ['1']]]);

    // when
    for (const commentId of ['2', '3', '3']) add('a', commentId);
    add('b', '4');
    await settle();
    expect(handled).to.have.length(1);
    pauses[0]!.end();
    await settle();

    // then: one approval after each pause
    expect(handled.slice(1)).to.deep.equal([['a', ['2', '3']]]);
    expect(pauses.map(({ ms }) => ms)).to.deep.equal([PAUSE_MS, PAUSE_MS]);
    pauses[1]!.end();
    await settle();
    expect(handled.slice(2)).to.deep.equal([['b', ['4']]]);
  });

  it('should handle nothing after it was stopped', async () => {
    add('a', '1');
    await settle();
    add('a', '2');
    collector.stop();
    pauses[0]!.end();
    await settle();
    expect(handled).to.have.length(1);
  });

  it('should ignore changes that name no comment', async () => {
    collector.add({ runId: 'run-1', data: { approvalId: 'a' } });
    await settle();
    expect(handled).to.deep.equal([]);
  });
});
