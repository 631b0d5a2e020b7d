import { randomUUID } from 'node:crypto';
import type { Client } from '@countersign/contract';
import type { EngineCapability } from '@countersign/model';

/**
 * A request of an admin that needs the capability. The runs, approvals, events and people that the requests name do not
 * exist, so an engine with the capability refuses most of them for other reasons.
 */
export const CAPABILITY_REQUESTS: Readonly<Record<EngineCapability, (client: Client) => Promise<unknown>>> =
  Object.freeze({
    approval_comments: (client) => client.commentOnApproval({ approvalId: randomUUID(), body: { text: 'Why?' } }),
    approval_delegation: (client) =>
      client.delegateApproval({ approvalId: randomUUID(), body: { to: 'dora', allowUnknown: true } }),
    approval_reassignment: (client) =>
      client.reassignApproval({ approvalId: randomUUID(), body: { candidateUsers: ['dora'], allowUnknown: true } }),
    call_edits: (client) =>
      client.decideApproval({ approvalId: randomUUID(), body: { decision: 'approve', editedArguments: {} } }),
    conditional_starts: (client) => client.evaluateConditions({ body: { variables: {} } }),
    dmn_decisions: (client) => client.deployDecisions({ body: '<definitions />' }),
    event_redelivery: (client) => client.redeliverInboundEvent({ eventId: randomUUID() }),
    migration: (client) => client.migrateRun({ runId: randomUUID(), body: { version: 2 } }),
    personal_data_erasure: (client) =>
      client.erasePersonalData({ runId: randomUUID(), body: { reason: 'requested' }, dryRun: true }),
    time_travel: (client) => client.getRunState({ runId: randomUUID(), at: 1 }),
  } satisfies Record<EngineCapability, (client: Client) => Promise<unknown>>);
