import {
  ProblemError,
  type Approval,
  type ChangeMessage,
  type ErrorCode,
  type InboxItem,
  type Question,
} from '@countersign/contract';
import { toWaitingQuestion } from './to-waiting-item.js';
import type { WaitingApproval, WaitingQuestion } from './waiting-item.js';
import type { InboxClient } from './waiting-items-watch.js';

export const SERVER = '01938f5a-7c1e-4b62-9d53-0c9a4f1b2e77';

export function createItem(approvalId: string, overrides: Partial<WaitingApproval> = {}): WaitingApproval {
  return {
    serverId: SERVER,
    approvalId,
    round: 1,
    title: `Approve ${approvalId}`,
    request: 'Continue the release run.',
    requestedBy: 'vera',
    riskLevel: 'low',
    requestedAt: '2026-11-23T09:00:00.000Z',
    dueAt: null,
    digest: '',
    ...overrides,
  };
}

export function createApproval(approvalId: string, overrides: Partial<Approval> = {}): Approval {
  return {
    approvalId,
    round: 1,
    status: 'pending',
    canDecide: { allowed: true, reasons: [] },
    title: `Approve ${approvalId}`,
    summary: '',
    workflowId: 'release',
    requestedBy: 'vera',
    requestedAt: '2026-11-23T09:00:00.000Z',
    dueAt: null,
    riskLevel: 'low',
    subject: { kind: 'user_task' },
    ...overrides,
  } as Approval;
}

export function createQuestion(questionId: string, overrides: Partial<Question> = {}): Question {
  return {
    questionId,
    runId: `run-of-${questionId}`,
    workflowId: 'release',
    agentName: 'writer',
    text: `What about ${questionId}?`,
    status: 'pending',
    askedAt: '2026-11-23T09:00:00.000Z',
    dueAt: null,
    ...overrides,
  } as Question;
}

export function createQuestionItem(questionId: string, overrides: Partial<Question> = {}): WaitingQuestion {
  return toWaitingQuestion(SERVER, createQuestion(questionId, overrides));
}

export function createProblem(status: number, code: ErrorCode): ProblemError {
  return new ProblemError({
    type: 'about:blank',
    title: 'Refused',
    detail: null,
    instance: null,
    status,
    code,
    retryable: false,
    traceId: '0',
    errors: [],
  });
}

/** In-memory client that returns approvals and questions in pages and records each request in `requests`. */
export class InMemoryInboxClient implements InboxClient {
  readonly byId = new Map<string, InboxItem>();
  readonly questionsById = new Map<string, Question>();
  readonly requests: string[] = [];
  isFailing = false;
  /** The error of requests for questions. */
  questionError: Error | undefined;
  /** The error of requests for sorted questions. */
  sortError: Error | undefined;

  constructor(...approvals: readonly InboxItem[]) {
    for (const approval of approvals) this.byId.set(approval.approvalId, approval);
  }

  readonly listInbox: InboxClient['listInbox'] = (query = {}) => {
    const { limit = 50, cursor = '0', approvalIds } = query;
    this.requests.push(approvalIds ?? 'list');
    if (this.isFailing) return Promise.reject(new Error('No response.'));
    const all = [...this.byId.values()];
    if (approvalIds !== undefined) {
      const ids = approvalIds.split(',');
      return Promise.resolve({ items: all.filter(({ approvalId }) => ids.includes(approvalId)), nextCursor: null });
    }
    const pendingApprovals = all.filter(({ status, canDecide }) => status === 'pending' && canDecide.allowed);
    const end = Number(cursor) + limit;
    return Promise.resolve({
      items: pendingApprovals.slice(Number(cursor), end),
      nextCursor: end < pendingApprovals.length ? String(end) : null,
    });
  };

  listQuestions: InboxClient['listQuestions'] = ({ limit = 50, cursor = '0', sort } = {}) => {
    this.requests.push(sort === undefined ? 'unsorted questions' : 'questions');
    const error = this.questionError ?? (sort === undefined ? undefined : this.sortError);
    if (error !== undefined) return Promise.reject(error);
    const pendingQuestions = [...this.questionsById.values()].filter(({ status }) => status === 'pending');
    const end = Number(cursor) + limit;
    return Promise.resolve({
      items: pendingQuestions.slice(Number(cursor), end),
      nextCursor: end < pendingQuestions.length ? String(end) : null,
    });
  };

  readonly getQuestion: InboxClient['getQuestion'] = ({ questionId }) => {
    this.requests.push(questionId);
    if (this.questionError !== undefined) return Promise.reject(this.questionError);
    const question = this.questionsById.get(questionId);
    return question === undefined
      ? Promise.reject(createProblem(404, 'question_not_found'))
      : Promise.resolve(question);
  };
}

export function createChange(approvalId: string, type = 'approval.requested'): ChangeMessage {
  return { id: '1', type: 'change', change: { type, data: { approvalId } } } as unknown as ChangeMessage;
}

export function createQuestionChange(questionId: string, type = 'question.asked'): ChangeMessage {
  return {
    id: '1',
    type: 'change',
    change: { type, runId: `run-of-${questionId}`, data: { questionId } },
  } as unknown as ChangeMessage;
}

/** Waits until immediate responses have arrived. */
export async function waitForResponses(): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
}
