import { endsRun, ProblemError, type Change, type Client, type Question } from '@countersign/contract';
import type { Clock } from './clock.js';
import { toWaitingQuestion } from './to-waiting-item.js';
import type { WaitingQuestion } from './waiting-item.js';
import type { WaitingItemSource } from './waiting-list.js';

const PAGE_SIZE = 200;
/**
 * Time after which a request for questions is aborted, in ms. Only one request is sent at a time, so one that gets no
 * response would hold up approvals.
 */
const REQUEST_LIMIT_MS = 15_000;
/** Statuses of refusals that repeated requests would get again. */
const REFUSALS: ReadonlySet<number> = new Set([400, 403, 404, 405, 501]);

export type QuestionClient = Pick<Client, 'listQuestions' | 'getQuestion'>;
type QuestionPage = Awaited<ReturnType<Client['listQuestions']>>;

/**
 * Loads the pending questions. If the server has no questions, because it is older, or the user may not read them, none
 * waits.
 */
export class QuestionSource implements WaitingItemSource<WaitingQuestion> {
  /** Low, because each question is a request. */
  readonly maxChangedLoads = 10;
  private canSort = true;

  constructor(
    private readonly serverId: string,
    private readonly client: QuestionClient,
    private readonly clock: Pick<Clock, 'schedule'>,
  ) {}

  findChangedIds(change: Change, questions: Iterable<WaitingQuestion>): readonly string[] {
    const { type, runId, data } = change;
    if (endsRun(change))
      return [...questions].filter((question) => question.runId === runId).map(({ questionId }) => questionId);
    const { questionId } = data;
    return type.startsWith('question.') && typeof questionId === 'string' ? [questionId] : [];
  }

  async loadPage(
    cursor: string | undefined,
  ): Promise<{ readonly items: readonly WaitingQuestion[]; readonly nextCursor: string | null }> {
    const page = await acceptRefusal(this.listPending(cursor));
    return page === undefined
      ? { items: [], nextCursor: null }
      : { items: this.selectWaiting(page.items), nextCursor: page.nextCursor };
  }

  async loadItems(ids: readonly string[]): Promise<readonly WaitingQuestion[]> {
    const found: Question[] = [];
    for (const questionId of ids) {
      const question = await acceptRefusal(
        this.request((signal) => this.client.getQuestion({ questionId }, { signal })),
      );
      if (question !== undefined) found.push(question);
    }
    return this.selectWaiting(found);
  }

  private async listPending(cursor: string | undefined): Promise<QuestionPage> {
    const query = { status: 'pending', limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) } as const;
    if (this.canSort) {
      try {
        return await this.request((signal) => this.client.listQuestions({ ...query, sort: 'due' }, { signal }));
      } catch (error) {
        if (!(error instanceof ProblemError && error.code === 'invalid_parameter')) throw error;
        // The server is older than this client and cannot sort questions.
        this.canSort = false;
      }
    }
    return this.request((signal) => this.client.listQuestions(query, { signal }));
  }

  private async request<T>(send: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const cancelTimer = this.clock.schedule(REQUEST_LIMIT_MS, () => controller.abort());
    try {
      return await send(controller.signal);
    } finally {
      cancelTimer();
    }
  }

  private selectWaiting(questions: readonly Question[]): readonly WaitingQuestion[] {
    return questions
      .filter(({ status }) => status === 'pending')
      .map((question) => toWaitingQuestion(this.serverId, question));
  }
}

/** Returns `undefined` instead of an error if the server refuses the request. */
async function acceptRefusal<T>(response: Promise<T>): Promise<T | undefined> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof ProblemError && REFUSALS.has(error.status)) return undefined;
    throw error;
  }
}
