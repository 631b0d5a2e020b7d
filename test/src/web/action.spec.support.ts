import {
  bodyContentTypes,
  routes,
  type OperationId,
  type RequiredRole,
  type Role,
  type RouteDefinition,
} from '@countersign/contract';
import type { Locator, Page } from 'playwright-core';
import { webSources, type Made } from './view.spec.support.js';

/** Something that people do in the web UI, as it is offered. */
export interface Action {
  readonly name: string;
  /** What the server is asked for: its role is who may do it. */
  readonly operation: OperationId;
  readonly offered: (page: Page) => Locator;
  /** What is opened before, where it is there, and what is then seen. */
  readonly behind?: { readonly click: (page: Page) => Locator; readonly seen: (page: Page) => Locator };
}

/** An address with what it offers. */
export interface Place {
  readonly at: (made: Made) => string;
  /** What everybody sees who may look. */
  readonly seen: (page: Page) => Locator;
  /** What the page reads, where not everybody who has a role may read it; such a person is told so. */
  readonly reads?: OperationId;
  readonly actions: readonly Action[];
}

/** The least role of what the web UI does, as it was decided: written down here as well, so that a role that is changed is changed on purpose. */
export const MIN_ROLES: Readonly<Partial<Record<OperationId, Role>>> = Object.freeze({
  startRun: 'viewer',
  bulkCancelRuns: 'operator',
  bulkRecoverRuns: 'operator',
  cancelRun: 'operator',
  recoverRun: 'operator',
  migrateRun: 'operator',
  uploadArtifact: 'operator',
  answerQuestion: 'operator',
  listInboundEvents: 'operator',
  getInboundEvent: 'operator',
  redeliverInboundEvent: 'operator',
  listOutboundDeliveries: 'operator',
  redeliverOutboundDelivery: 'operator',
  getPolicy: 'operator',
  getPolicyVersion: 'operator',
  listTools: 'operator',
  decideApproval: 'approver',
  decideApprovals: 'approver',
  delegateApproval: 'approver',
  listMySigningKeys: 'approver',
  getMyAbsence: 'approver',
  setMyAbsence: 'approver',
  revokeMySigningKey: 'approver',
  endMyAbsence: 'approver',
  reassignApproval: 'admin',
  deployWorkflow: 'admin',
  tryPolicy: 'admin',
  acceptTool: 'admin',
  getSettings: 'admin',
  updateSettings: 'admin',
  testSettings: 'admin',
});

/** What pages ask for by themselves to say more: nothing that is offered. That nobody is refused it is seen on each page. */
export const ASKED_BY_ITSELF: readonly OperationId[] = Object.freeze(['listMySigningKeys', 'getMyAbsence']);

/** Operations that are offered only where something has happened, with the spec that makes it happen. */
export const TESTED_ELSEWHERE: Readonly<Partial<Record<OperationId, string>>> = Object.freeze({
  revokeMySigningKey: 'web/key-news.spec.ts',
});

export const roleOf = (operation: OperationId): RequiredRole =>
  (routes as Readonly<Record<string, RouteDefinition>>)[operation]?.role ?? 'anonymous';

/** What the web UI asks the server for that changes something, or that not everybody who has a role may see. */
export function guardedOperations(): readonly OperationId[] {
  const used = new Set(webSources().flatMap((text) => [...text.matchAll(/\.([a-zA-Z]+)\(/g)].map(([, name]) => name)));
  return Object.values(routes as Readonly<Record<string, RouteDefinition>>)
    .filter(
      ({ operationId, method, role }) =>
        used.has(operationId) && role !== 'anonymous' && (method !== 'get' || role !== 'viewer'),
    )
    .map(({ operationId }) => operationId as OperationId)
    .sort();
}

const NOWHERE = '01890000-0000-7000-8000-000000000000';

/** Every operation that asks for a role, as a request to what is there. */
export function guardedRequests(made: Made): readonly {
  readonly route: RouteDefinition;
  readonly real: string;
  readonly nowhere: string;
  readonly init: RequestInit;
}[] {
  const known: Readonly<Record<string, string>> = {
    runId: made.spare.runId,
    approvalId: made.simple[0]?.approvalId ?? '',
    questionId: made.questionId,
    eventId: made.eventId,
    deliveryId: made.deliveryId,
    stepId: made.reviewing.steps[0]?.stepId ?? '',
    artifactName: 'report.md',
    workflowId: 'order',
    decisionId: 'risk',
    target: 'bell',
    toolName: 'files.read',
  };
  return Object.values(routes as Readonly<Record<string, RouteDefinition>>)
    .filter(({ role }) => role !== 'anonymous')
    .map((route) => {
      const filled = (ids: Readonly<Record<string, string>>): string =>
        route.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? NOWHERE));
      const [type = 'application/json'] = bodyContentTypes(route);
      const contentType = type === '*/*' ? 'text/plain' : type;
      const body =
        route.body === undefined || route.method === 'get'
          ? {}
          : { body: contentType === 'application/json' ? '{}' : 'x', headers: { 'content-type': contentType } };
      // Of one run; the audit of all is for admins.
      const query = route.operationId === 'listAuditEvents' ? `?runId=${made.spare.runId}` : '';
      return {
        route,
        real: filled(known) + query,
        nowhere: filled({}) + query,
        init: { method: route.method.toUpperCase(), ...body },
      };
    });
}
