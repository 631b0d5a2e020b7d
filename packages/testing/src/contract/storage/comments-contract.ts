import type { ApprovalRecord, RunEvent } from '@countersign/model';
import { expect } from 'chai';
import {
  createApprovalRecord,
  createRunEvent,
  createRunRecord,
  createRunWrite,
  deploy,
  nextId,
} from '../storage-fixtures.js';
import type { StorageGetter } from '../storage-under-test.js';
import { readAll } from './read-all.js';

const ADA = { type: 'user', id: 'ada' } as const;

export function describeComments(getStorage: StorageGetter): void {
  describe('comments on approvals', () => {
    const run = createRunRecord();
    const [first, other] = [createApprovalRecord(run), createApprovalRecord(run)];
    const second = createApprovalRecord(run, { round: 2, previousApprovalId: first.approvalId });
    const third = createApprovalRecord(run, { round: 3, previousApprovalId: second.approvalId });
    const createComment = (
      seq: number,
      { approvalId, round, digest }: ApprovalRecord,
      privatePart: RunEvent['private'],
    ): RunEvent =>
      createRunEvent(seq, {
        at: seq * 1_000,
        type: 'approval.commented',
        data: { approvalId, round, digest, commentId: nextId() },
        private: privatePart,
      });
    const by = (actor: { type: string; id: string }, text: string, quote?: string): RunEvent['private'] => ({
      actor: { ...actor, name: null },
      text,
      ...(quote === undefined ? {} : { line: { pointer: '/inputs/version', side: 'after', number: 1, quote } }),
    });
    const events = [
      createComment(1, first, by(ADA, 'one')),
      createComment(2, second, by({ type: 'user', id: 'bob' }, 'four', 'Ž€')),
      createComment(3, other, by(ADA, 'elsewhere')),
      createComment(4, second, null),
      createComment(5, third, by({ type: 'service', id: 'ada' }, 'service')),
      createComment(6, third, by(ADA, 'last')),
    ];

    beforeEach(async () => {
      const { storage } = getStorage();
      await deploy(storage);
      await storage.commit([createRunWrite({ run, events, approvalsOpened: [first, second, third, other] })]);
    });

    const findComments = (...seqs: readonly number[]) =>
      seqs.map((seq) => events.find((event) => event.seq === seq)?.data['commentId']);

    it('should be listed and found with those on earlier rounds, oldest first, but not on later ones', async () => {
      const { storage } = getStorage();
      const list = async ({ approvalId }: ApprovalRecord) =>
        (await readAll((page) => storage.listApprovalComments(approvalId, page), 2)).map(({ commentId }) => commentId);

      expect(await list(first)).to.eql(findComments(1));
      expect(await list(second)).to.eql(findComments(1, 2, 4));
      expect(await list(third)).to.eql(findComments(1, 2, 4, 5, 6));
      const [early, late] = findComments(1, 6).map(String);
      expect(await storage.findApprovalComment(third.approvalId, String(early))).to.include({ text: 'one', by: 'ada' });
      expect(await storage.findApprovalComment(first.approvalId, String(late))).to.equal(undefined);
    });

    it('should be measured over all rounds, with the part of one author', async () => {
      const { storage } = getStorage();
      const size = { comments: 5, characters: 3 + 4 + 2 + 7 + 4 };

      for (const { approvalId } of [first, second, third]) {
        expect(await storage.measureDiscussion(approvalId.toUpperCase(), ADA)).to.eql({
          ...size,
          ownComments: 2,
          ownCharacters: 7,
        });
        expect(await storage.measureDiscussion(approvalId, { type: 'user', id: 'eve' })).to.eql({
          ...size,
          ownComments: 0,
          ownCharacters: 0,
        });
      }
      for (const unknown of [nextId(), 'no id'])
        expect(await storage.measureDiscussion(unknown, ADA)).to.eql({
          comments: 0,
          characters: 0,
          ownComments: 0,
          ownCharacters: 0,
        });
    });

    it('should be counted in rows of the inbox, with the last comment by others than the reader', async () => {
      const { storage } = getStorage();
      const { items } = await storage.listInbox({ runId: run.runId }, { limit: 10 }, ADA);
      const counts = new Map(items.map(({ approvalId, comments }) => [approvalId, comments]));

      expect(counts.get(first.approvalId)).to.eql({ count: 1, lastAt: 1_000, lastByOthersAt: null });
      // Nobody knows who wrote an erased comment.
      expect(counts.get(second.approvalId)).to.eql({ count: 3, lastAt: 4_000, lastByOthersAt: 4_000 });
      expect(counts.get(third.approvalId)).to.eql({ count: 5, lastAt: 6_000, lastByOthersAt: 5_000 });
    });
  });
}
