import type { Command } from '@countersign/core/engine';
import type { CancelRunRequest, RecoverRunRequest } from '@countersign/core/plugin';

export function cancelCommand(request: CancelRunRequest): Command {
  return { type: 'cancel', actor: request.context.actor, reason: request.reason };
}

export function recoverCommand(request: RecoverRunRequest): Command {
  const { steps, variables, comment } = request;
  return { type: 'recover', actor: request.context.actor, steps, variables, comment };
}
