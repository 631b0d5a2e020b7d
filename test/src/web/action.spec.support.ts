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

/** An action that the web UI offers to users. */
export interface Action {
  readonly name: string;
  /** The API operation; its role determines who may perform the action. */
  readonly operation: OperationId;
  readonly offered: (page: Page) => Locator;
  /** What the test opens first, if it is there, and what is then visible. */
  readonly behind?: { readonly click: (page: Page) => Locator; readonly seen: (page: Page) => Locator };
}

/** An address with its actions. */
export interface Place {
  readonly at: (made: Made) => string;
  /** Visible to every user with access. */
  readonly seen: (page: Page) => Locator;
  /** Operation that the page reads, if it requires a higher role; users without that role see an alert. */
  readonly reads?: OperationId;
  readonly actions: readonly Action[];
}

/** The minimum role of each action of the web UI, repeated here on purpose, so that no role changes by accident. */
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

/** Operations that pages call unasked for additional information. Each page test checks that they are never refused. */
export const ASKED_BY_ITSELF: readonly OperationId[] = Object.freeze(['listMySigningKeys', 'getMyAbsence']);

/** Operations that are offered only after certain events, with the spec that causes them. */
export const TESTED_ELSEWHERE: Readonly<Partial<Record<OperationId, string>>> = Object.freeze({
  revokeMySigningKey: 'web/key-news.spec.ts',
});

export const roleOf = (operation: OperationId): RequiredRole =>
  (routes as Readonly<Record<string, RouteDefinition>>)[operation]?.role ?? 'anonymous';

/** Returns the operations of the web UI that change something, or that require more than the lowest role to read. */
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

/** Returns a request to existing data for every operation that requires a role. */
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
      // Limited to one run; the audit events of all runs are for admins.
      const query = route.operationId === 'listAuditEvents' ? `?runId=${made.spare.runId}` : '';
      return {
        route,
        real: filled(known) + query,
        nowhere: filled({}) + query,
        init: { method: route.method.toUpperCase(), ...body },
      };
    });
}
