import type { Approval, ApprovalComment, CommentBody } from '@countersign/contract';
import { expect } from 'chai';
import { DisplayedApprovals } from '../vote/displayed-approvals.js';
import { commentOnApproval } from './comment-on-approval.js';

const OPENED = 'a1';
const LISTED = 'a2';

describe('commentOnApproval()', () => {
  const sent: [string, CommentBody, string | undefined][] = [];
  const displayedApprovals = new DisplayedApprovals();
  const options = {
    displayedApprovals,
    client: {
      commentOnApproval: (
        { approvalId, body }: { approvalId: string; body: CommentBody },
        { idempotencyKey }: { idempotencyKey?: string } = {},
      ): Promise<ApprovalComment> => {
        sent.push([approvalId, body, idempotencyKey]);
        return Promise.resolve({ commentId: 'c1' } as ApprovalComment);
      },
    },
  };
  const comment = (approvalId: string) =>
    commentOnApproval(options, { approvalId, body: { text: 'Why?' }, idempotencyKey: 'key-of-comment' });

  beforeEach(() => sent.splice(0));
  before(() => {
    displayedApprovals.record({ approvalId: OPENED, round: 1 } as Approval, 'opened');
    displayedApprovals.record({ approvalId: LISTED, round: 1 } as Approval, 'listed');
  });

  it('should send a comment on an approval that is open in the window', async () => {
    expect(await comment(OPENED)).to.deep.equal({ ok: true, value: { commentId: 'c1' } });
    expect(sent).to.deep.equal([[OPENED, { text: 'Why?' }, 'key-of-comment']]);
  });

  it('should refuse approvals that were never opened, so that a script cannot comment on all of them', async () => {
    for (const id of [LISTED, 'a3']) expect(await comment(id)).to.include({ ok: false, code: 'not_shown' });
    expect(sent).to.deep.equal([]);
  });
});
