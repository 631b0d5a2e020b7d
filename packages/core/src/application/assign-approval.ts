import { matchesName } from '@countersign/model';
import { inject, injectable } from 'inversify';
import { ClockPort } from '../ports/clock.js';
import { EnginePort, type CommandResponse } from '../ports/engine.js';
import { buildRequestContext, type Caller } from './caller.js';
import { createApprovalResponder } from './decide-approval.js';
import { inputError } from './errors.js';
import { requireCapability } from './require-capability.js';
import type { ApprovalView } from './views/approval-view.js';
import { withResponseType } from './views/to-json-response.js';

export interface DelegateInput {
  readonly approvalId: string;
  readonly to: string;
  /** Milliseconds since the epoch; no end if omitted. */
  readonly until?: number;
}

export interface ReassignInput {
  readonly approvalId: string;
  readonly candidateUsers?: readonly string[];
  readonly candidateGroups?: readonly string[];
  readonly comment?: string;
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
  ) {}

  async delegate({ approvalId, to, until }: DelegateInput, caller: Caller): Promise<CommandResponse<ApprovalView>> {
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
    return withResponseType(
      this.engine.delegateApproval({
        context: buildRequestContext(caller, 'delegateApproval', { approvalId, to, until: until ?? null }),
        approvalId,
        to,
        until: until ?? null,
        respond: this.respond(caller),
      }),
    );
  }

  async reassign(input: ReassignInput, caller: Caller): Promise<CommandResponse<ApprovalView>> {
    requireCapability(this.engine, 'approval_reassignment');
    const { approvalId, candidateUsers = [], candidateGroups = [], comment = null } = input;
    return withResponseType(
      this.engine.reassignApproval({
        context: buildRequestContext(caller, 'reassignApproval', {
          approvalId,
          candidateUsers: [...candidateUsers],
          candidateGroups: [...candidateGroups],
          comment,
        }),
        approvalId,
        candidateUsers,
        candidateGroups,
        comment,
        respond: this.respond(caller),
      }),
    );
  }

  private respond(caller: Caller): ReturnType<typeof createApprovalResponder> {
    return createApprovalResponder({ actor: caller.actor, mayDecide: true }, () => this.clock.now());
  }
}
