import { inject, injectable } from 'inversify';
import type { PageRequest, QuestionFilter } from '../../ports/records.js';
import { StoragePort } from '../../ports/storage.js';
import { paginate } from '../paginate.js';
import { questionNotFoundError } from '../errors.js';
import { RunQueries, type PageView } from '../run-queries.js';
import { toConversationView, type ConversationMessageView } from '../views/conversation-view.js';
import { toQuestionView, type QuestionView } from '../views/question-view.js';

/** Queries for questions: the questions of a run as a conversation, and the questions of all runs as a list. */
@injectable()
export class ConversationQueries {
  constructor(
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(RunQueries) private readonly runs: RunQueries,
  ) {}

  /**
   * Returns the conversation of a run, oldest first.
   *
   * @throws {ApiError} `run_not_found`, `invalid_cursor`
   */
  async getConversation(runId: string, page: PageRequest): Promise<PageView<ConversationMessageView>> {
    const questions = await this.storage.listRunQuestions(runId);
    // Most runs have no questions; distinguish them from unknown runs.
    if (questions.length === 0) await this.runs.find(runId);
    // Later messages are appended, so pages are stable.
    const { items, nextCursor } = paginate(
      toConversationView(questions),
      'conversation',
      (message) => message.messageId,
      page,
    );
    return { items: [...items], nextCursor };
  }

  /** Returns the questions, by default newest first. */
  async list(filter: QuestionFilter, page: PageRequest): Promise<PageView<QuestionView>> {
    const { items, nextCursor } = await this.storage.listQuestions(filter, page);
    return { items: items.map(toQuestionView), nextCursor };
  }

  /** @throws {ApiError} `question_not_found` */
  async get(questionId: string): Promise<QuestionView> {
    const found = await this.storage.findQuestion(questionId);
    if (found === undefined) throw questionNotFoundError(questionId);
    return toQuestionView(found);
  }
}
