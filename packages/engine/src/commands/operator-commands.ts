import type { CancelRunRequest, MigrateRunRequest, PlannedCommand, RecoverRunRequest } from '@countersign/core/ports';
import type { Command } from '@countersign/model';
import type { CompiledVersion } from '../caches/workflow-cache.js';

export function buildCancelCommand(request: CancelRunRequest): Command {
  return { type: 'cancel', actor: request.context.actor, reason: request.reason };
}

export function buildRecoverCommand(request: RecoverRunRequest): Command {
  const { steps, variables, comment } = request;
  return { type: 'recover', actor: request.context.actor, steps, variables, comment };
}

/** @param target the version that the run is migrated to */
export function buildMigrateCommand(request: MigrateRunRequest, target: CompiledVersion | undefined): Command {
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
export function buildPlannedCommand(planned: PlannedCommand, target: CompiledVersion | undefined): Command {
  switch (planned.kind) {
    case 'cancel':
      return buildCancelCommand(planned.command);
    case 'recover':
      return buildRecoverCommand(planned.command);
    case 'migrate':
      return buildMigrateCommand(planned.command, target);
  }
}
