import {
  findDifferingMembers,
  type PendingApproval,
  signatureMismatch,
  type VoteCommand,
  type VotedStatement,
  buildVotedStatement,
} from '@countersign/model';
import type { Execution } from '../execution.js';

/**
 * Refuses a vote whose signature does not match it exactly. This also applies when no signature is required, because a
 * signer wants the signature on record.
 *
 * @returns whether the vote was refused
 */
export function refuseSignature(execution: Execution, command: VoteCommand, approval: PendingApproval): boolean {
  const { signature } = command;
  if (signature === undefined) {
    if (approval.requireSignature !== true) return false;
    execution.refuse(
      'signature_required',
      'Only signed votes count for this approval. Sign the vote with a key that is registered as yours.',
    );
    return true;
  }
  if (signature.kind === 'fails') {
    execution.refuse(signature.code, signature.message, signature.details);
    return true;
  }
  const differingFields = findDifferingMembers(pickComparedFields(signature.statement), {
    ...buildVotedStatement(execution.state.runId, approval, command),
  });
  if (differingFields.length === 0) return false;
  const { code, message, details } = signatureMismatch(differingFields);
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
}: VotedStatement): Record<keyof VotedStatement, string | number | null> {
  return { runId, approvalId, round, decision, commentDigest, subjectDigest };
}
