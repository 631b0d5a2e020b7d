import { expect } from 'chai';
import { decisionBodySchema } from '../schemas/approval-commands.js';
import { buildVoteArguments } from './vote-arguments.js';

describe('buildVoteArguments', () => {
  it('should build a vote with the digest and the round of the displayed approval', () => {
    const approval = {
      approvalId: '019aa000-0000-7000-8000-00000000000a',
      digest: `sha256:${'3f'.repeat(32)}`,
      round: 2,
    };
    const vote = buildVoteArguments(approval, { decision: 'reject', comment: 'Too much.' });
    expect(vote).to.deep.equal({
      approvalId: approval.approvalId,
      body: { decision: 'reject', comment: 'Too much.', expectedDigest: approval.digest, round: 2 },
    });
    expect(decisionBodySchema.safeParse(vote.body).success).to.equal(true);
  });
});
