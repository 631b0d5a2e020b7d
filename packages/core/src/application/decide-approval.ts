import { inject, injectable } from 'inversify';
import type { ApprovalDecision, JsonObject, ShownEvidence } from '@countersign/model';
import { ClockPort } from '../ports/clock.js';
import { EnginePort, type CommandResponse, type CommandOutcome } from '../ports/engine.js';
import { buildRequestContext, type Caller, type ReadContext } from './caller.js';
import { EditCall, editNotPossibleError } from './edit-call.js';
import { requireCapability } from './require-capability.js';
import { CheckSignature } from './signing/check-signature.js';
import { toApprovalView, type ApprovalView } from './views/approval-view.js';
import { withResponseType, toJsonResponse } from './views/to-json-response.js';

export interface DecideApprovalInput {
  readonly approvalId: string;
  readonly decision: ApprovalDecision;
  readonly comment?: string;
  readonly expectedDigest?: string;
  readonly round?: number;
  /** Vote signature, a compact JWS. */
  readonly signature?: string;
  /** Replacement arguments when a tool call is approved. */
  readonly editedArguments?: JsonObject;
  /** Evidence that was displayed to the voter. */
  readonly shown?: readonly ShownEvidence[];
}

/** Records a user's vote. The response is the approval. */
@injectable()
export class DecideApproval {
  constructor(
    @inject(EnginePort) private readonly engine: EnginePort,
    @inject(EditCall) private readonly callEditor: EditCall,
    @inject(CheckSignature) private readonly signatureChecker: CheckSignature,
    @inject(ClockPort) private readonly clock: ClockPort,
  ) {}

  async execute(input: DecideApprovalInput, caller: Caller): Promise<CommandResponse<ApprovalView>> {
    const { approvalId, decision, comment = null, expectedDigest = null, round = null } = input;
    const { editedArguments, signature, shown } = input;
    if (editedArguments !== undefined) requireCapability(this.engine, 'call_edits');
    if (editedArguments !== undefined && decision !== 'approve')
      throw editNotPossibleError(
        'Arguments can be edited only when you approve the call. Omit editedArguments, or describe the change in the comment.',
      );
    if (editedArguments !== undefined && shown !== undefined)
      throw editNotPossibleError(
        'The evidence in "shown" belongs to the call before the edit. Omit it here, and send it with the vote on the edited call.',
      );
    const content = {
      approvalId,
      decision,
      comment,
      expectedDigest,
      round,
      ...(editedArguments === undefined ? {} : { editedArguments }),
      ...(signature === undefined ? {} : { signature }),
      ...(shown === undefined ? {} : { shown: shown.map((each) => ({ ...each })) }),
    };
    const editedCall =
      editedArguments === undefined ? undefined : await this.callEditor.execute(approvalId, editedArguments);
    return withResponseType(
      this.engine.decideApproval({
        context: buildRequestContext(caller, 'decideApproval', content),
        approvalId,
        decision,
        comment,
        expectedDigest,
        expectedRound: round,
        ...(editedCall === undefined ? {} : { edited: editedCall }),
        ...(signature === undefined
          ? {}
          : { signature: await this.signatureChecker.checkVote(signature, caller.actor) }),
        ...(shown === undefined ? {} : { shown }),
        respond: createApprovalResponder({ actor: caller.actor, mayDecide: true }, () => this.clock.now()),
      }),
    );
  }
}

/** Returns a function that builds the response with the approval of a command. */
export function createApprovalResponder(
  viewer: ReadContext,
  now: () => number,
): (outcome: CommandOutcome) => JsonObject {
  return ({ approval }) => {
    if (approval === null) throw new Error('The engine executed an approval command but did not return the approval.');
    // Omits absences, which are looked up on reads only, so that a repeated request gets the same response.
    return toJsonResponse(toApprovalView(approval, viewer, now(), []));
  };
}
