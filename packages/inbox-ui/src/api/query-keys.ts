import type { RunOutcome } from '@countersign/contract';

/** Key of the lists of the inbox, which `InboxUpdater` keeps current. */
export const INBOX_KEY = Object.freeze(['inbox'] as const);

/**
 * Query keys. The first part names the kind of data, so that a change of a run invalidates exactly the affected queries
 * (`use-change-handler.ts`).
 */
export const queryKeys = {
  me: ['me'] as const,
  runs: (filter: object) => ['runs', filter] as const,
  run: (runId: string) => ['run', runId, 'detail'] as const,
  runData: (runId: string, part: string, ...more: readonly unknown[]) => ['run', runId, part, ...more] as const,
  /** Immutable, so an update of the run does not invalidate it. */
  runState: (runId: string, at: number) => ['run-state', runId, at] as const,
  /** Loaded when users ask for it: a pack can be large, so an update of the run does not invalidate it. */
  runEvidence: (runId: string, outcome: RunOutcome | null) => ['run-evidence', runId, outcome] as const,
  /** Lists of whole approvals. */
  approvals: (filter: object) => ['approvals', filter] as const,
  inbox: (filter: object) => [...INBOX_KEY, filter] as const,
  inboxCounts: (filter: object) => ['inbox-counts', filter] as const,
  /** Rows that the palette offers. */
  inboxFound: (filter: object) => ['inbox-found', filter] as const,
  approval: (approvalId: string) => ['approval', approvalId] as const,
  /** The comments on an approval and its earlier rounds. */
  comments: (approvalId: string) => ['comments', approvalId] as const,
  /** Lists of questions. */
  questions: (filter: object) => ['questions', filter] as const,
  question: (questionId: string) => ['question', questionId] as const,
  questionCounts: (filter: object) => ['question-counts', filter] as const,
  users: (q: string) => ['users', q] as const,
  groups: (q: string) => ['groups', q] as const,
  workflows: ['workflows'] as const,
  workflow: (workflowId: string, version?: number) => ['workflow', workflowId, version ?? 'newest'] as const,
  /** A single version, which is immutable. */
  workflowVersion: (workflowId: string, version: number) => ['workflow-version', workflowId, version] as const,
  workflowData: (workflowId: string, part: string, ...more: readonly unknown[]) =>
    ['workflow', workflowId, part, ...more] as const,
  decisions: ['decisions'] as const,
  inboundEvents: (filter: object) => ['inbound-events', filter] as const,
  deliveries: (filter: object) => ['deliveries', filter] as const,
  policy: ['policy'] as const,
  policyDecisions: (filter: object) => ['policy-decisions', filter] as const,
  agents: ['agents'] as const,
  tools: ['tools'] as const,
  signingKeys: ['signing-keys'] as const,
  /** The absence of the signed-in user. */
  absence: ['absence'] as const,
  settings: ['settings'] as const,
};
