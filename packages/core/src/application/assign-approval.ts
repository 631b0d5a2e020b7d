import { isCalled } from '@countersign/model';
import { inject, injectable } from 'inversify';
import { ClockPort } from '../ports/clock.js';
import { EnginePort, type CommandResponse } from '../ports/engine.js';
import { contextOf, type Caller } from './caller.js';
import { approvalResponse } from './decide-approval.js';
import { badInput } from './refuse.js';
import type { ApprovalView } from './views/approval-view.js';
import { answerWith } from './views/as-response.js';

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
    if (isCalled(caller.actor, to)) {
      throw badInput('validation_failed', 'You cannot delegate to yourself.', [
        { pointer: '/to', code: 'invalid', message: 'Name another person.' },
      ]);
    }
    if (until !== undefined && until <= this.clock.now()) {
      throw badInput('validation_failed', 'The delegation would end before it starts.', [
        { pointer: '/until', code: 'invalid', message: 'Must be in the future.' },
      ]);
    }
    return answerWith(
      this.engine.delegateApproval({
        context: contextOf(caller, 'delegateApproval', { approvalId, to, until: until ?? null }),
        approvalId,
        to,
        until: until ?? null,
        respond: this.respond(caller),
      }),
    );
  }

  async reassign(input: ReassignInput, caller: Caller): Promise<CommandResponse<ApprovalView>> {
    const { approvalId, candidateUsers = [], candidateGroups = [], comment = null } = input;
    return answerWith(
      this.engine.reassignApproval({
        context: contextOf(caller, 'reassignApproval', {
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

  private respond(caller: Caller): ReturnType<typeof approvalResponse> {
    return approvalResponse({ actor: caller.actor, mayDecide: true }, () => this.clock.now());
  }
}
