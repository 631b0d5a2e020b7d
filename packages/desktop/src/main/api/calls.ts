import type { Approval, Client, Question } from '@countersign/contract';
import { refused, type OperationResult } from '../../common/operation-result.js';
import { inputSchemaOf, OPERATIONS, type AllowedOperation } from '../../common/operations.js';
import type { OfflineCache } from '../offline/offline-cache.js';
import type { DisplayedQuestions } from '../questions/displayed-questions.js';
import type { DisplayedApprovals } from '../vote/displayed-approvals.js';
import { toOperationResult } from './to-operation-result.js';
import { confirmAbsence, confirmReassignment, type ConfirmationRequest } from './confirmation-request.js';

interface CallsOptions {
  readonly client: Client;
  readonly shown: DisplayedApprovals;
  readonly questions: DisplayedQuestions;
  readonly cache: Pick<OfflineCache, 'put'>;
  /** Asks the user in a dialog of the operating system. */
  confirm(question: ConfirmationRequest): Promise<boolean>;
}

/**
 * Executes the operations that the window may request, and records which approvals and questions the window has
 * received.
 */
export class ApiOperations {
  constructor(private readonly options: CallsOptions) {}

  /** @throws {TypeError} for an input that violates the contract */
  async call(operation: AllowedOperation, input: Record<string, unknown>): Promise<OperationResult<unknown>> {
    const { confirm, shown, questions } = this.options;
    if (!inputSchemaOf(operation).safeParse(input).success) throw new TypeError(`Invalid input for ${operation}.`);
    if (OPERATIONS[operation] === 'confirm') {
      const question = await this.question(operation, input);
      if (!question.ok) return question;
      if (question.value !== undefined && !(await confirm(question.value))) return refused('declined');
    }
    const answer = this.ask(operation, input);
    if (operation === 'getApproval') shown.loads.begin(String(input['approvalId']), answer);
    if (operation === 'getQuestion') questions.loads.begin(String(input['questionId']), answer);
    return answer;
  }

  private async ask(operation: AllowedOperation, input: Record<string, unknown>): Promise<OperationResult<unknown>> {
    const method = this.options.client[operation] as (args: Record<string, unknown>) => Promise<unknown>;
    const answer = await toOperationResult(method(input));
    if (answer.ok) this.note(operation, answer.value);
    if (answer.ok && OPERATIONS[operation] === 'read') this.options.cache.put(operation, input, answer.value);
    return answer;
  }

  private async question(
    operation: AllowedOperation,
    input: Record<string, unknown>,
  ): Promise<OperationResult<ConfirmationRequest | undefined>> {
    if (operation === 'setMyAbsence') return { ok: true, value: confirmAbsence(input) };
    const approval = await toOperationResult(
      this.options.client.getApproval({ approvalId: String(input['approvalId']) }),
    );
    return approval.ok ? { ok: true, value: confirmReassignment(operation, approval.value, input) } : approval;
  }

  private note(operation: AllowedOperation, value: unknown): void {
    const { shown, questions } = this.options;
    if (operation === 'getQuestion') questions.record(value as Question);
    if (operation === 'getApproval') shown.record(value as Approval, 'opened');
    if (operation === 'listApprovals')
      for (const approval of (value as { readonly items: readonly Approval[] }).items) shown.record(approval, 'listed');
  }
}
