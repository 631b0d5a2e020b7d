import {
  findDifferingMembers,
  type PendingApproval,
  createSignatureMismatch,
  type VoteCommand,
  type VerifiableVoteFields,
  buildVerifiableVoteFields,
} from '@countersign/model';
import type { Execution } from '../execution.js';

/**
 * Refuses a vote whose signature does not match it exactly. This also applies when no signature is required, because a
 * person who signs expects the signature to be recorded.
 *
 * @returns whether the vote was refused
 */
export function refuseSignature(execution: Execution, command: VoteCommand, approval: PendingApproval): boolean {
  const { signature } = command;
  if (signature === undefined) {
    if (approval.requireSignature !== true) return false;
    execution.refuse(
      'signature_required',
      'Only signed votes count for this approval. Sign the vote with one of your registered signing keys.',
    );
    return true;
  }
  if (signature.kind === 'fails') {
    execution.refuse(signature.code, signature.message, signature.details);
    return true;
  }
  const differingFields = findDifferingMembers(pickComparedFields(signature.statement), {
    ...buildVerifiableVoteFields(execution.state.runId, approval, command),
  });
  if (differingFields.length === 0) return false;
  const { code, message, details } = createSignatureMismatch(differingFields);
  execution.refuse(code, message, details);
  return true;
}

/** Returns the fields to compare here. The others (server, key, time) were compared when the signature was checked. */
function pickComparedFields({
  runId,
  approvalId,
  round,
  decision,
  commentDigest,
  subjectDigest,
}: VerifiableVoteFields): Record<keyof VerifiableVoteFields, string | number | null> {
  return { runId, approvalId, round, decision, commentDigest, subjectDigest };
}
