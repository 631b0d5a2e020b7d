import { inject, injectable } from 'inversify';
import type { ApprovalRecord } from '../../ports/records.js';
import { StoragePort } from '../../ports/storage.js';
import type { Caller } from '../caller.js';
import { DecideApproval, type DecisionInput } from '../decide-approval.js';
import { inputError, type FieldError } from '../errors.js';
import type { ApprovalView } from '../views/approval-view.js';
import { mapConcurrently } from './map-concurrently.js';
import { callerForItem, toItemResult, type ItemResult } from './bulk-item.js';

/** Number of concurrent approvals. */
const MAX_CONCURRENCY = 16;

/** Vote on one of several approvals. It cannot edit arguments, and it must name the digest that was displayed. */
export type BulkDecision = Omit<DecisionInput, 'editedArguments' | 'expectedDigest'> & {
  readonly expectedDigest: string;
};

export type BulkDecisionResult = ItemResult<ApprovalView> & { readonly approvalId: string };

/**
 * Votes on several approvals, each with its own command, like single requests. Only simple approvals can be decided
 * together: requests of one rule, all of low risk.
 */
@injectable()
export class DecideApprovals {
  constructor(
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(DecideApproval) private readonly decide: DecideApproval,
  ) {}

  /**
   * Returns one result per vote, in request order.
   *
   * @throws {ApiError} `bulk_not_allowed`; then no vote is recorded
   */
  async execute(decisions: readonly BulkDecision[], caller: Caller): Promise<BulkDecisionResult[]> {
    const normalized = decisions.map((decision) => ({ ...decision, approvalId: decision.approvalId.toLowerCase() }));
    // Neither the risk nor the rule of a pending approval changes, so this check also holds in the commands.
    const approvals = await mapConcurrently(normalized, MAX_CONCURRENCY, ({ approvalId }) =>
      this.storage.findApproval(approvalId),
    );
    const fieldErrors = [...findDuplicates(normalized), ...findIncompatible(approvals)];
    if (fieldErrors.length > 0)
      throw inputError(
        'bulk_not_allowed',
        'These approvals cannot be decided together; nothing was decided. Decide them one by one.',
        fieldErrors,
      );
    return mapConcurrently(normalized, MAX_CONCURRENCY, async (input) => {
      const { approvalId } = input;
      return { approvalId, ...(await toItemResult(this.decide.execute(input, callerForItem(caller, approvalId)))) };
    });
  }
}

function findDuplicates(decisions: readonly BulkDecision[]): FieldError[] {
  const seen = new Set<string>();
  return decisions.flatMap(({ approvalId }, index) => {
    if (!seen.has(approvalId)) {
      seen.add(approvalId);
      return [];
    }
    return [decisionError(index, 'duplicate', 'This approval is listed more than once.')];
  });
}

/** Checks that the approvals belong together. Missing approvals fail in their own commands. */
function findIncompatible(found: readonly (ApprovalRecord | undefined)[]): FieldError[] {
  const first = found.find((approval) => approval !== undefined);
  return found.flatMap((approval, index) => {
    if (approval === undefined || first === undefined) return [];
    if (approval.riskLevel !== 'low')
      return [decisionError(index, 'not_low_risk', `Its risk is ${approval.riskLevel}.`)];
    return compatibilityKey(approval) === compatibilityKey(first)
      ? []
      : [
          decisionError(
            index,
            'other_rule',
            'It was not requested by the same element of the same workflow as the first approval, or, for a call, not for the same tool.',
          ),
        ];
  });
}

/** Returns the rule of an approval: the element of a workflow and, for tool calls, the tool. */
function compatibilityKey({ workflowId, elementId, subject }: ApprovalRecord): string {
  return JSON.stringify([workflowId, elementId, subject.kind, subject.kind === 'tool_call' ? subject.tool : null]);
}

function decisionError(index: number, code: string, message: string): FieldError {
  return { pointer: `/decisions/${index}`, code, message };
}
