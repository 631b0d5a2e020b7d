import type { ApprovalSubject, EligibilityReason, PendingApproval, VoteCommand } from '@countersign/model';
import type { Execution } from '../execution.js';

const REFUSAL_MESSAGES: Record<EligibilityReason, string> = {
  service_cannot_decide: 'Only people may vote on approvals; this token belongs to a service or an agent.',
  not_a_candidate: 'You are not a candidate for this approval.',
  self_approval:
    'Another person must vote: you started this run, assigned this approval to yourself, or contributed to its subject (edited data, uploaded an artifact, answered a question, sent a message, migrated the run or deployed its model, here or in a run that provides its data).',
  already_voted: 'You have already voted on this approval, or a substitute voted for you.',
};

/**
 * Refuses a vote of a person who may not vote.
 *
 * @returns whether the vote was refused
 */
export function refuseIneligible(execution: Execution, [reason]: readonly EligibilityReason[]): boolean {
  if (reason === undefined) return false;
  execution.refuse(reason, REFUSAL_MESSAGES[reason]);
  return true;
}

/**
 * Refuses a vote whose subject is stale.
 *
 * @param nextApproval the new approval; `undefined` if an approval is no longer needed
 */
export function refuseStaleSubject(execution: Execution, nextApproval: PendingApproval | undefined): void {
  if (nextApproval === undefined) {
    execution.refuse(
      'stale_digest',
      'The subject of this approval has changed, and the current policy no longer requires an approval for it. Open the run to see its current state.',
    );
    return;
  }
  const { approvalId, round, digest } = nextApproval;
  execution.refuse(
    'stale_digest',
    'The subject of this approval has changed, so a new approval was requested. Review the new approval.',
    { approvalId, round, digest },
  );
}

/** Refuses a vote with a stale digest, or without a digest if one is required. */
export function refuseStaleDigest(
  execution: Execution,
  { expectedDigest }: VoteCommand,
  { approvalId, round, digest, requireDigest }: PendingApproval,
): boolean {
  const { settings, isReplay } = execution.context;
  if (expectedDigest === null && isReplay !== true && (requireDigest === true || settings.requireDigest)) {
    const error = {
      pointer: '/expectedDigest',
      code: 'missing',
      message: 'Required for this approval: the digest that was displayed.',
    };
    execution.refuse('digest_required', 'This approval requires expectedDigest. Send the digest that was displayed.', {
      errors: [error],
    });
    return true;
  }
  if (expectedDigest === null || expectedDigest === digest) return false;
  execution.refuse('stale_digest', 'The subject has changed since it was displayed. Review it again.', {
    approvalId,
    round,
    digest,
  });
  return true;
}

/** Refuses a vote if `shown` contains evidence that is not part of the subject. */
export function refuseForeignEvidence(
  execution: Execution,
  { shown = [] }: VoteCommand,
  { evidence }: ApprovalSubject,
): boolean {
  const foreignIndex = shown.findIndex(
    ({ name, sha256 }) => !evidence.some((each) => each.name === name && each.sha256 === sha256),
  );
  if (foreignIndex < 0) return false;
  const error = {
    pointer: `/shown/${foreignIndex}`,
    code: 'not_evidence',
    message: 'This is not evidence of the approval: no artifact of its evidence has this name and SHA-256 digest.',
  };
  execution.refuse(
    'validation_failed',
    '`shown` contains an artifact that is not evidence of this approval. The vote was not recorded. Reload the approval and vote again.',
    { errors: [error] },
  );
  return true;
}

export function refuseMissingComment(execution: Execution, { decision, comment }: VoteCommand): boolean {
  if (decision !== 'request_changes' || (comment !== null && comment.trim() !== '')) return false;
  execution.refuse('comment_required', 'Describe in the comment what must change.');
  return true;
}
