import type { CancelRunRequest, MigrateRunRequest, PlannedCommand, RecoverRunRequest } from '@countersign/core/ports';
import type { Command } from '@countersign/model';
import type { CompiledVersion } from './workflow-cache.js';

export function cancelCommand(request: CancelRunRequest): Command {
  return { type: 'cancel', actor: request.context.actor, reason: request.reason };
}

export function recoverCommand(request: RecoverRunRequest): Command {
  const { steps, variables, comment } = request;
  return { type: 'recover', actor: request.context.actor, steps, variables, comment };
}

/** @param target the version that the run is migrated to */
export function migrateCommand(request: MigrateRunRequest, target: CompiledVersion | undefined): Command {
  if (target === undefined) throw new Error('A migration needs a target version.');
  const { mapping, comment } = request;
  return {
    type: 'migrate',
    actor: request.context.actor,
    workflowVersion: target.version,
    workflowDigest: target.digest,
    mapping,
    comment,
  };
}

/** Returns the command that a dry run evaluates and discards. */
export function plannedCommand(planned: PlannedCommand, target: CompiledVersion | undefined): Command {
  switch (planned.kind) {
    case 'cancel':
      return cancelCommand(planned.command);
    case 'recover':
      return recoverCommand(planned.command);
    case 'migrate':
      return migrateCommand(planned.command, target);
  }
}
