import {
  getBodyContentTypes,
  routes,
  type OperationId,
  type RequiredRole,
  type Role,
  type RouteDefinition,
} from '@countersign/contract';
import type { Locator, Page } from 'playwright-core';
import { readWebSources, type PopulatedData } from './view.spec.support.js';

/** An action that the web UI offers to users. */
export interface GuardedAction {
  readonly name: string;
  /** The API operation; its role determines who may perform the action. */
  readonly operation: OperationId;
  readonly locator: (page: Page) => Locator;
  /** Element that the test clicks first, if it exists, and the element that is visible afterwards. */
  readonly opener?: { readonly click: (page: Page) => Locator; readonly expected: (page: Page) => Locator };
}

/** A page with its actions. */
export interface ActionPage {
  readonly path: (data: PopulatedData) => string;
  /** Visible to every user with access. */
  readonly expected: (page: Page) => Locator;
  /** Operation that loads the page's data, if it requires more than the viewer role; other users see an alert. */
  readonly reads?: OperationId;
  readonly actions: readonly GuardedAction[];
}

/**
 * The minimum role of each guarded operation of the web UI, repeated here on purpose, so that no role changes by
 * accident.
 */
export const MIN_ROLES: Readonly<Partial<Record<OperationId, Role>>> = Object.freeze({
  startRun: 'viewer',
  bulkCancelRuns: 'operator',
  bulkRecoverRuns: 'operator',
  cancelRun: 'operator',
  recoverRun: 'operator',
  migrateRun: 'operator',
  uploadArtifact: 'operator',
  answerQuestion: 'operator',
  commentOnApproval: 'operator',
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
  listUsers: 'approver',
  reassignApproval: 'admin',
  listGroups: 'admin',
  deployWorkflow: 'admin',
  tryPolicy: 'admin',
  acceptTool: 'admin',
  getSettings: 'admin',
  updateSettings: 'admin',
  testSettings: 'admin',
});

/** Operations that pages call without a user action. Each page test checks that they are never refused. */
export const REQUESTED_IMPLICITLY: readonly OperationId[] = Object.freeze(['listMySigningKeys', 'getMyAbsence']);

/**
 * Operations that are offered only after certain events, with the spec that triggers the events and tests the
 * operation.
 */
export const TESTED_ELSEWHERE: Readonly<Partial<Record<OperationId, string>>> = Object.freeze({
  revokeMySigningKey: 'web/key-notifications.spec.ts',
  listGroups: 'web/approvals-assign.spec.ts',
});

export const getRequiredRole = (operation: OperationId): RequiredRole =>
  (routes as Readonly<Record<string, RouteDefinition>>)[operation]?.role ?? 'anonymous';

/** Returns the operations of the web UI that change something, or that require more than the lowest role to read. */
export function listGuardedOperations(): readonly OperationId[] {
  const usedOperations = new Set(
    readWebSources().flatMap((text) => [...text.matchAll(/\.([a-zA-Z]+)\(/g)].map(([, name]) => name)),
  );
  return Object.values(routes as Readonly<Record<string, RouteDefinition>>)
    .filter(
      ({ operationId, method, role }) =>
        usedOperations.has(operationId) && role !== 'anonymous' && (method !== 'get' || role !== 'viewer'),
    )
    .map(({ operationId }) => operationId as OperationId)
    .sort();
}

const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';

/** Returns a request for every operation that requires a role, with a path to existing and a path to missing data. */
export function createGuardedRequests(data: PopulatedData): readonly {
  readonly route: RouteDefinition;
  readonly existingPath: string;
  readonly missingPath: string;
  readonly init: RequestInit;
}[] {
  const knownIds: Readonly<Record<string, string>> = {
    runId: data.timerRun.runId,
    approvalId: data.simple[0]?.approvalId ?? '',
    questionId: data.questionId,
    eventId: data.eventId,
    deliveryId: data.deliveryId,
    stepId: data.reviewing.steps[0]?.stepId ?? '',
    artifactName: 'report.md',
    workflowId: 'order',
    decisionId: 'risk',
    target: 'bell',
    toolName: 'files.read',
  };
  return Object.values(routes as Readonly<Record<string, RouteDefinition>>)
    .filter(({ role }) => role !== 'anonymous')
    .map((route) => {
      const fillPath = (ids: Readonly<Record<string, string>>): string =>
        route.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? UNKNOWN_ID));
      const [type = 'application/json'] = getBodyContentTypes(route);
      const contentType = type === '*/*' ? 'text/plain' : type;
      const body =
        route.body === undefined || route.method === 'get'
          ? {}
          : { body: contentType === 'application/json' ? '{}' : 'x', headers: { 'content-type': contentType } };
      // Limited to one run; the audit events of all runs are for admins.
      const query = route.operationId === 'listAuditEvents' ? `?runId=${data.timerRun.runId}` : '';
      return {
        route,
        existingPath: fillPath(knownIds) + query,
        missingPath: fillPath({}) + query,
        init: { method: route.method.toUpperCase(), ...body },
      };
    });
}
