import type { Approval, Question } from '@countersign/contract';
import type { InboxSection, InboxSectionId } from './inbox-sections.js';
import type { ListedItem } from './listed-item.js';

export const createDigest = (letter: string): string => `sha256:${letter.repeat(64)}`;

/** Creates an approval of a user task that the user may decide. */
export function createApproval(overrides: Partial<Approval> = {}): Approval {
  return {
    approvalId: 'approval-1',
    previousApprovalId: null,
    runId: 'run-1',
    workflowId: 'release',
    workflowVersion: 1,
    stepId: 'step-1',
    elementId: 'ok',
    businessKey: null,
    title: 'Approve the release',
    summary: '',
    description: null,
    status: 'pending',
    round: 1,
    requestedAt: '2026-11-22T10:00:00.000Z',
    requestedBy: 'vera',
    dueAt: null,
    resolvedAt: null,
    resolvedBy: null,
    candidateUsers: [],
    candidateGroups: [],
    delegations: [],
    quorum: { required: 1, approvals: 0 },
    signatureRequired: false,
    votes: [],
    riskLevel: 'low',
    riskFactors: [],
    rationale: null,
    subject: {
      kind: 'user_task',
      runId: 'run-1',
      elementId: 'ok',
      definition: { workflowId: 'release', workflowVersion: 1, digest: createDigest('a') },
      inputs: {},
      evidence: [],
    },
    digest: createDigest('b'),
    votedByCaller: false,
    absences: [],
    inPlaceOf: null,
    canDecide: { allowed: true, reasons: [] },
    ...overrides,
  };
}

/** Creates a question that the user may answer. */
export function createQuestion(overrides: Partial<Question> = {}): Question {
  return {
    questionId: 'question-1',
    runId: 'run-1',
    workflowId: 'release',
    stepId: 'step-1',
    elementId: 'ask',
    agentName: 'asker',
    purpose: 'ask',
    callId: null,
    text: 'Which version?',
    options: null,
    answerSchema: null,
    status: 'pending',
    askedAt: '2026-11-22T10:00:00.000Z',
    dueAt: null,
    onDue: { kind: 'continue', answer: null },
    answer: null,
    answeredBy: null,
    answeredByName: null,
    closedAt: null,
    ...overrides,
  };
}

/** Creates a section of the list that is loaded to its end. */
export function createSection(id: InboxSectionId, items: readonly ListedItem[]): InboxSection {
  return { id, label: id, items, hasMore: false, loading: false, emptyText: 'nothing' };
}

/** Creates the subject of a tool call. */
export function createCallSubject(
  overrides: Partial<Extract<Approval['subject'], { kind: 'tool_call' }>> = {},
): Approval['subject'] {
  return {
    kind: 'tool_call',
    runId: 'run-1',
    elementId: 'ok',
    definition: { workflowId: 'release', workflowVersion: 1, digest: createDigest('a') },
    callId: 'call-1',
    tool: 'mail.send',
    toolDigest: createDigest('c'),
    inputs: { to: 'ada@example.org', subject: 'Hello' },
    effect: 'write',
    reversible: false,
    hosts: ['mail.example.org'],
    taint: [],
    evidence: [],
    agent: { name: 'writer', definitionDigest: createDigest('d') },
    editedBy: null,
    policy: { id: 'countersign', digest: createDigest('e') },
    ...overrides,
  };
}
