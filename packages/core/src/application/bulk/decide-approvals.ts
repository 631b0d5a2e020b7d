import { inject, injectable } from 'inversify';
import type { ApprovalRecord } from '../../ports/records.js';
import { StoragePort } from '../../ports/storage.js';
import type { Caller } from '../caller.js';
import { DecideApproval, type DecideApprovalInput } from '../decide-approval.js';
import { inputError, type FieldError } from '../errors.js';
import type { ApprovalView } from '../views/approval-view.js';
import { mapConcurrently } from './map-concurrently.js';
import { buildItemCaller, toItemResult, type ItemResult } from './bulk-item.js';

/** Maximum number of approvals that are processed concurrently. */
const MAX_CONCURRENCY = 16;

/** Vote on one of several approvals. It cannot edit arguments, and must contain the digest that was displayed. */
export type BulkVote = Omit<DecideApprovalInput, 'editedArguments' | 'expectedDigest'> & {
  readonly expectedDigest: string;
};

export type BulkVoteResult = ItemResult<ApprovalView> & { readonly approvalId: string };

/**
 * Votes on several approvals, each with its own command, like single requests. Only simple approvals can be decided
 * together: all of low risk, from the same workflow element and, for tool calls, for the same tool.
 */
@injectable()
export class DecideApprovals {
  constructor(
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(DecideApproval) private readonly decideApproval: DecideApproval,
  ) {}

  /**
   * Returns one result per vote, in request order.
   *
   * @throws {ApiError} `bulk_not_allowed`; in this case, no vote is recorded
   */
  async execute(votes: readonly BulkVote[], caller: Caller): Promise<BulkVoteResult[]> {
    const normalizedVotes = votes.map((vote) => ({
      ...vote,
      approvalId: vote.approvalId.toLowerCase(),
    }));
    // The risk, element and tool of a pending approval never change, so the check is still valid when the commands run.
    const approvals = await mapConcurrently(normalizedVotes, MAX_CONCURRENCY, ({ approvalId }) =>
      this.storage.findApproval(approvalId),
    );
    const fieldErrors = [...findDuplicates(normalizedVotes), ...findIncompatibleApprovals(approvals)];
    if (fieldErrors.length > 0)
      throw inputError(
        'bulk_not_allowed',
        'These approvals cannot be decided together; nothing was decided. Decide them one by one.',
        fieldErrors,
      );
    return mapConcurrently(normalizedVotes, MAX_CONCURRENCY, async (input) => {
      const { approvalId } = input;
      return {
        approvalId,
        ...(await toItemResult(this.decideApproval.execute(input, buildItemCaller(caller, approvalId)))),
      };
    });
  }
}

function findDuplicates(votes: readonly BulkVote[]): FieldError[] {
  const approvalIds = new Set<string>();
  return votes.flatMap(({ approvalId }, index) => {
    if (!approvalIds.has(approvalId)) {
      approvalIds.add(approvalId);
      return [];
    }
    return [voteError(index, 'duplicate', 'This approval is listed more than once.')];
  });
}

/**
 * Returns errors for approvals that cannot be decided with the first one. Missing approvals fail in their own commands.
 */
function findIncompatibleApprovals(approvals: readonly (ApprovalRecord | undefined)[]): FieldError[] {
  const first = approvals.find((approval) => approval !== undefined);
  return approvals.flatMap((approval, index) => {
    if (approval === undefined || first === undefined) return [];
    if (approval.riskLevel !== 'low')
      return [voteError(index, 'not_low_risk', `The risk of the approval is ${approval.riskLevel}, but must be low.`)];
    return getCompatibilityKey(approval) === getCompatibilityKey(first)
      ? []
      : [
          voteError(
            index,
            'other_rule',
            'The approval belongs to a different workflow element than the first approval, or its call uses a different tool.',
          ),
        ];
  });
}

/**
 * Returns a key that is the same for approvals that can be decided together: the workflow element and, for tool calls,
 * the tool.
 */
function getCompatibilityKey({ workflowId, elementId, subject }: ApprovalRecord): string {
  return JSON.stringify([workflowId, elementId, subject.kind, subject.kind === 'tool_call' ? subject.tool : null]);
}

function voteError(index: number, code: string, message: string): FieldError {
  return { pointer: `/decisions/${index}`, code, message };
}
