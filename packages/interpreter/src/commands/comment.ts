import { type CommentCommand, toRecordedActor } from '@countersign/model';
import type { Execution } from '../execution.js';

/**
 * Records a comment on an approval, even after the run has ended. A comment changes nothing else: it is not a vote, not
 * a contribution to the subject, not progress of the run, and neither the BPMN model nor an agent can read it.
 */
export function comment(execution: Execution, command: CommentCommand): void {
  const { commentId, approvalId, stepId, elementId, round, digest, actor, text, replyTo, line } = command;
  execution.update({ commentedAt: execution.now });
  execution.emit(
    'approval.commented',
    { stepId, elementId },
    {
      approvalId,
      round,
      commentId,
      ...(replyTo === undefined ? {} : { replyTo }),
      digest,
    },
    { actor: { ...toRecordedActor(actor) }, text, ...(line === undefined ? {} : { line }) },
  );
}
