import type { Routes } from '../routes/index.js';
import type { Approval } from '../schemas/approval.js';
import type { RouteArgs } from './client-types.js';

type Arguments = RouteArgs<Routes['decideApproval']>;

/** What a person says about what they were shown: all of the body but the digest and the round. */
export type VoteWords = Omit<Arguments['body'], 'expectedDigest' | 'round'>;

/**
 * The arguments of `decideApproval` for a vote on exactly what `approval` shows. If the subject or the round is another one
 * by the time it arrives, the server refuses it (`stale_digest`, `stale_round`) instead of counting it for something unseen.
 *
 *     const approval = await client.getApproval({ approvalId });
 *     await client.decideApproval(voteOn(approval, { decision: 'approve' }));
 */
export function voteOn(
  { approvalId, digest, round }: Pick<Approval, 'approvalId' | 'digest' | 'round'>,
  words: VoteWords,
): Arguments {
  return { approvalId, body: { ...words, expectedDigest: digest, round } };
}
