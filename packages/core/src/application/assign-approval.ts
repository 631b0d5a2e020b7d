import { hasVoted, isCandidate, matchesName } from '@countersign/model';
import { inject, injectable } from 'inversify';
import { ClockPort } from '../ports/clock.js';
import { EnginePort, type CommandResponse, type RequestContext } from '../ports/engine.js';
import { StoragePort } from '../ports/storage.js';
import { buildRequestContext, type Caller } from './caller.js';
import { createApprovalResponder } from './decide-approval.js';
import { inputError } from './errors.js';
import { People } from './people.js';
import { executeUnlessRepeated } from './repeated-request.js';
import { requireCapability } from './require-capability.js';
import type { ApprovalView } from './views/approval-view.js';
import { withResponseType } from './views/to-json-response.js';

export interface DelegateInput {
  readonly approvalId: string;
  readonly to: string;
  /** Milliseconds since the epoch; no end if omitted. */
  readonly until?: number;
  /** Whether the user may be one who has never signed in. */
  readonly allowUnknown?: boolean;
}

export interface ReassignInput {
  readonly approvalId: string;
  readonly candidateUsers?: readonly string[];
  readonly candidateGroups?: readonly string[];
  readonly comment?: string;
  /** Whether users and groups may be ones that have never been seen. The present candidates are always accepted. */
  readonly allowUnknown?: boolean;
}

/**
 * Changes the candidates of an approval: a candidate delegates, an administrator reassigns. The response is the
 * approval.
 */
@injectable()
export class AssignApproval {
  constructor(
    @inject(EnginePort) private readonly engine: EnginePort,
    @inject(ClockPort) private readonly clock: ClockPort,
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(People) private readonly people: People,
  ) {}

  /** @throws {ApiError} `approval_not_found`, `validation_failed`, … */
  async delegate(input: DelegateInput, caller: Caller): Promise<CommandResponse<ApprovalView>> {
    const { approvalId, to, until = null, allowUnknown = false } = input;
    const context = buildRequestContext(caller, 'delegateApproval', {
      approvalId,
      to,
      until,
      ...(allowUnknown ? { allowUnknown } : {}),
    });
    return executeUnlessRepeated(this.storage, context, () => this.delegateNew(input, caller, context));
  }

  private async delegateNew(
    { approvalId, to, until, allowUnknown = false }: DelegateInput,
    caller: Caller,
    context: RequestContext,
  ): Promise<CommandResponse<ApprovalView>> {
    requireCapability(this.engine, 'approval_delegation');
    if (matchesName(caller.actor, to)) {
      throw inputError('validation_failed', 'You cannot delegate to yourself.', [
        { pointer: '/to', code: 'invalid', message: 'Name another person.' },
      ]);
    }
    if (until !== undefined && until <= this.clock.now()) {
      throw inputError('validation_failed', 'The delegation would end before it starts.', [
        { pointer: '/until', code: 'invalid', message: 'Must be in the future.' },
      ]);
    }
    if (!allowUnknown && (await this.mayDelegate(approvalId, caller)))
      await this.people.requireKnown({ users: [{ name: to, pointer: '/to' }] });
    return withResponseType(
      this.engine.delegateApproval({ context, approvalId, to, until: until ?? null, respond: this.respond(caller) }),
    );
  }

  /** @throws {ApiError} `approval_not_found`, `validation_failed`, … */
  async reassign(input: ReassignInput, caller: Caller): Promise<CommandResponse<ApprovalView>> {
    const { approvalId, candidateUsers = [], candidateGroups = [], comment = null, allowUnknown = false } = input;
    const context = buildRequestContext(caller, 'reassignApproval', {
      approvalId,
      candidateUsers: [...candidateUsers],
      candidateGroups: [...candidateGroups],
      comment,
      ...(allowUnknown ? { allowUnknown } : {}),
    });
    return executeUnlessRepeated(this.storage, context, () => this.reassignNew(input, caller, context));
  }

  private async reassignNew(
    input: ReassignInput,
    caller: Caller,
    context: RequestContext,
  ): Promise<CommandResponse<ApprovalView>> {
    requireCapability(this.engine, 'approval_reassignment');
    const { approvalId, candidateUsers = [], candidateGroups = [], comment = null, allowUnknown = false } = input;
    if (!allowUnknown) await this.requireKnownCandidates(input);
    return withResponseType(
      this.engine.reassignApproval({
        context,
        approvalId,
        candidateUsers,
        candidateGroups,
        comment,
        respond: this.respond(caller),
      }),
    );
  }

  /** Returns whether the engine would accept a delegation. If not, its refusal matters more than an unknown name. */
  private async mayDelegate(approvalId: string, { actor }: Caller): Promise<boolean> {
    const approval = await this.storage.findApproval(approvalId);
    return (
      approval?.status === 'pending' &&
      actor.type === 'user' &&
      isCandidate(approval, actor) &&
      !Object.hasOwn(approval.excluded, actor.id) &&
      !hasVoted(approval, actor)
    );
  }

  /** Checks the candidates who are added to a pending approval. Otherwise, the engine refuses the reassignment. */
  private async requireKnownCandidates({
    approvalId,
    candidateUsers = [],
    candidateGroups = [],
  }: ReassignInput): Promise<void> {
    const approval = await this.storage.findApproval(approvalId);
    if (approval?.status !== 'pending') return;
    const toAdded = (field: 'candidateUsers' | 'candidateGroups', names: readonly string[]) =>
      names
        .map((name, index) => ({ name, pointer: `/${field}/${index}` }))
        .filter(({ name }) => !approval[field].includes(name));
    await this.people.requireKnown({
      users: toAdded('candidateUsers', candidateUsers),
      groups: toAdded('candidateGroups', candidateGroups),
    });
  }

  private respond(caller: Caller): ReturnType<typeof createApprovalResponder> {
    return createApprovalResponder({ actor: caller.actor, mayDecide: true }, () => this.clock.now());
  }
}
