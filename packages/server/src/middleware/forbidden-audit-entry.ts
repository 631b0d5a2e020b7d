import type { RouteDefinition } from '@countersign/contract';
import { type AuditEntry, toRecordedActor } from '@countersign/model';
import type { Principal } from '../auth/principal.js';

/** Returns the audit entry of a request that was refused because a role is missing. */
export function createForbiddenAuditEntry(
  route: RouteDefinition,
  params: Readonly<Record<string, string>>,
  principal: Principal,
  from: string,
  at: number,
): AuditEntry {
  return {
    at,
    actor: toRecordedActor(principal.actor),
    action: getAuditAction(route.operationId),
    target: getAuditTarget(route, toStorableParams(params)),
    result: 'refused',
    from,
    data: { code: 'forbidden', needed: route.role, role: principal.role ?? null },
  };
}

/**
 * Returns the audit action of an operation, named like the commands of the engine: `run.start` for `startRun`,
 * `auditEvents.list` for `listAuditEvents`.
 */
function getAuditAction(operationId: string): string {
  const [, verb = '', resource = ''] = /^([a-z]+)([A-Z].*)?$/.exec(operationId) ?? [];
  return `${resource.charAt(0).toLowerCase()}${resource.slice(1)}.${verb}`;
}

const MAX_TARGET_LENGTH = 300;

/**
 * Returns the path parameters in a storable form. They are not validated yet, and an entry that contains a NUL
 * character or a lone surrogate cannot be stored.
 */
function toStorableParams(params: Readonly<Record<string, string>>): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      value.slice(0, MAX_TARGET_LENGTH).toWellFormed().replaceAll('\0', '\u{fffd}'),
    ]),
  );
}

function getAuditTarget(
  route: RouteDefinition,
  params: Readonly<Record<string, string | undefined>>,
): { type: string; id: string; runId?: string } {
  const { approvalId, questionId, runId, workflowId, artifactName, toolName } = params;
  if (questionId !== undefined) return { type: 'question', id: questionId, ...(runId === undefined ? {} : { runId }) };
  if (toolName !== undefined) return { type: 'tool', id: toolName };
  if (approvalId !== undefined) return { type: 'approval', id: approvalId };
  if (artifactName !== undefined && runId !== undefined)
    return { type: 'artifact', id: `${runId}/${artifactName}`, runId };
  if (runId !== undefined) return { type: 'run', id: runId, runId };
  if (workflowId !== undefined) return { type: 'workflow', id: workflowId };
  return { type: 'route', id: `${route.method.toUpperCase()} ${route.path}` };
}
