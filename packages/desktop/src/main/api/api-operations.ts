import type { Approval, Client, Question } from '@countersign/contract';
import { createRefusal, type OperationResult } from '../../common/operation-result.js';
import { getInputSchema, OPERATIONS, type AllowedOperation } from '../../common/operations.js';
import type { OfflineCache } from '../offline/offline-cache.js';
import { StoredLists } from '../offline/stored-lists.js';
import type { DisplayedQuestions } from '../questions/displayed-questions.js';
import type { DisplayedApprovals } from '../vote/displayed-approvals.js';
import { toOperationResult } from './to-operation-result.js';
import {
  createAbsenceConfirmation,
  createReassignmentConfirmation,
  type ConfirmationRequest,
} from './confirmation-request.js';

/** Lists with a smaller limit only count questions. */
const MIN_STORED_LIMIT = 50;

interface ApiOperationsOptions {
  readonly client: Client;
  readonly displayedApprovals: DisplayedApprovals;
  readonly displayedQuestions: DisplayedQuestions;
  readonly cache: Pick<OfflineCache, 'put'>;
  /** Asks the user for confirmation in a dialog of the operating system. */
  confirm(request: ConfirmationRequest): Promise<boolean>;
}

/**
 * Executes the operations that the window may request, and records which approvals and questions the window has
 * received.
 */
export class ApiOperations {
  private readonly storedLists: StoredLists;

  constructor(private readonly options: ApiOperationsOptions) {
    this.storedLists = new StoredLists(options);
  }

  /** @throws {TypeError} if the input violates the contract */
  async call(operation: AllowedOperation, input: Record<string, unknown>): Promise<OperationResult<unknown>> {
    const { confirm, displayedApprovals, displayedQuestions } = this.options;
    if (!getInputSchema(operation).safeParse(input).success) throw new TypeError(`Invalid input for ${operation}.`);
    if (OPERATIONS[operation] === 'confirm') {
      const confirmation = await this.prepareConfirmation(operation, input);
      if (!confirmation.ok) return confirmation;
      if (confirmation.value !== undefined && !(await confirm(confirmation.value))) return createRefusal('declined');
    }
    const result = this.execute(operation, input);
    if (operation === 'getApproval') displayedApprovals.loads.track(String(input['approvalId']), result);
    if (operation === 'getQuestion') displayedQuestions.loads.track(String(input['questionId']), result);
    return result;
  }

  private async execute(
    operation: AllowedOperation,
    input: Record<string, unknown>,
  ): Promise<OperationResult<unknown>> {
    const method = this.options.client[operation] as (args: Record<string, unknown>) => Promise<unknown>;
    const result = await toOperationResult(method(input));
    if (result.ok) this.recordDisplayed(operation, result.value);
    if (result.ok && OPERATIONS[operation] === 'read') this.cacheResponse(operation, input, result.value);
    return result;
  }

  private cacheResponse(operation: AllowedOperation, input: Record<string, unknown>, value: unknown): void {
    const { cache } = this.options;
    const isPartial = input['approvalIds'] !== undefined;
    // Of no use offline, and nobody's personal data should be kept for nothing.
    if (operation === 'listQuestions' && Number(input['limit'] ?? MIN_STORED_LIMIT) < MIN_STORED_LIMIT) return;
    if (operation === 'countInbox' || operation === 'listUsers' || operation === 'listGroups') return;
    if (operation === 'listInbox' && isPartial) this.storedLists.onRowsChanged();
    else if (operation === 'listInbox') this.storedLists.add(input, value);
    else if (operation === 'listApprovals' && isPartial)
      // Each approval can be opened offline, even if the window has only loaded it in advance.
      for (const approval of (value as { readonly items: readonly Approval[] }).items)
        cache.put('getApproval', { approvalId: approval.approvalId }, approval);
    else cache.put(operation, input, value);
  }

  private async prepareConfirmation(
    operation: AllowedOperation,
    input: Record<string, unknown>,
  ): Promise<OperationResult<ConfirmationRequest | undefined>> {
    if (operation === 'setMyAbsence') return { ok: true, value: createAbsenceConfirmation(input) };
    const approval = await toOperationResult(
      this.options.client.getApproval({ approvalId: String(input['approvalId']) }),
    );
    return approval.ok
      ? { ok: true, value: createReassignmentConfirmation(operation, approval.value, input) }
      : approval;
  }

  private recordDisplayed(operation: AllowedOperation, value: unknown): void {
    const { displayedApprovals, displayedQuestions } = this.options;
    if (operation === 'getQuestion') displayedQuestions.record(value as Question);
    if (operation === 'getApproval') displayedApprovals.record(value as Approval, 'opened');
    if (operation === 'listApprovals')
      for (const approval of (value as { readonly items: readonly Approval[] }).items)
        displayedApprovals.record(approval, 'listed');
  }
}
