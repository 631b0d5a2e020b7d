import type { Routes } from '../routes/index.js';
import type { Approval } from '../schemas/approval.js';
import type { RouteArgs } from './client-types.js';

type DecideApprovalArguments = RouteArgs<Routes['decideApproval']>;

/** The part of a vote that a person enters: the body without the digest and the round. */
export type VoteInput = Omit<DecideApprovalArguments['body'], 'expectedDigest' | 'round'>;

/**
 * Returns the arguments of `decideApproval` for a vote on exactly the content of `approval`. If the subject or the
 * round has changed when the vote arrives, the server refuses it (`stale_digest`, `stale_round`).
 *
 *     const approval = await client.getApproval({ approvalId });
 *     await client.decideApproval(buildVoteArguments(approval, { decision: 'approve' }));
 */
export function buildVoteArguments(
  { approvalId, digest, round }: Pick<Approval, 'approvalId' | 'digest' | 'round'>,
  vote: VoteInput,
): DecideApprovalArguments {
  return { approvalId, body: { ...vote, expectedDigest: digest, round } };
}
