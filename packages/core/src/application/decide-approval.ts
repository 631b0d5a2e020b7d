import { inject, injectable } from 'inversify';
import type { ApprovalDecision } from '../domain/run-state.js';
import { ClockPort } from '../ports/clock.js';
import { EnginePort, type Answer, type CommandOutcome } from '../ports/engine.js';
import { contextOf, type Caller, type Viewer } from './caller.js';
import { EditCall, editNotPossible } from './edit-call.js';
import { CheckSignature } from './signing/check-signature.js';
import { approvalView } from './views/approval-view.js';
import { asResponse } from './views/as-response.js';
import type { JsonObject } from '../domain/json.js';

export interface DecisionInput {
  readonly approvalId: string;
  readonly decision: ApprovalDecision;
  readonly comment?: string;
  readonly expectedDigest?: string;
  readonly round?: number;
  /** A compact JWS. */
  readonly signature?: string;
  /** With `approve` of a call of a tool: these arguments instead. */
  readonly editedArguments?: JsonObject;
}

/** Records a person's vote. The answer is the approval. */
@injectable()
export class DecideApproval {
  constructor(
    @inject(EnginePort) private readonly engine: EnginePort,
    @inject(EditCall) private readonly edit: EditCall,
    @inject(CheckSignature) private readonly signatures: CheckSignature,
    @inject(ClockPort) private readonly clock: ClockPort,
  ) {}

  async execute(input: DecisionInput, caller: Caller): Promise<Answer> {
    const { approvalId, decision, comment = null, expectedDigest = null, round = null } = input;
    const { editedArguments, signature } = input;
    if (editedArguments !== undefined && decision !== 'approve')
      throw editNotPossible(
        'Arguments are edited in approving the call; leave them out, or say what you want in the comment.',
      );
    const content = {
      approvalId,
      decision,
      comment,
      expectedDigest,
      round,
      ...(editedArguments === undefined ? {} : { editedArguments }),
      ...(signature === undefined ? {} : { signature }),
    };
    const edited = editedArguments === undefined ? undefined : await this.edit.execute(approvalId, editedArguments);
    return this.engine.decideApproval({
      context: contextOf(caller, 'decideApproval', content),
      approvalId,
      decision,
      comment,
      expectedDigest,
      expectedRound: round,
      ...(edited === undefined ? {} : { edited }),
      ...(signature === undefined ? {} : { signature: await this.signatures.ofVote(signature, caller.actor) }),
      respond: approvalResponse({ actor: caller.actor, mayDecide: true }, () => this.clock.now()),
    });
  }
}

/** Answers with the approval that a command was about. */
export function approvalResponse(viewer: Viewer, now: () => number): (outcome: CommandOutcome) => JsonObject {
  return ({ approval }) => {
    if (approval === null) throw new Error('The command was about an approval, but the engine gave none back.');
    // Without who is away, which is looked up when an approval is read: a repeat is answered with the same.
    return asResponse(approvalView(approval, viewer, now(), []));
  };
}
