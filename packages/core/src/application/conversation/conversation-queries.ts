import { inject, injectable } from 'inversify';
import type { PageRequest, QuestionFilter } from '../../ports/records.js';
import { StoragePort } from '../../ports/storage.js';
import { pageOf } from '../page-in-memory.js';
import { questionNotFound } from '../refuse.js';
import { RunQueries, type PageView } from '../run-queries.js';
import { conversationView, type ConversationMessageView } from '../views/conversation-view.js';
import { questionView, type QuestionView } from '../views/question-view.js';

/** Queries for questions: those of one run as a conversation, and all questions as an inbox. */
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
  async conversation(runId: string, page: PageRequest): Promise<PageView<ConversationMessageView>> {
    const questions = await this.storage.listRunQuestions(runId);
    // Most runs have no questions; distinguish them from unknown runs.
    if (questions.length === 0) await this.runs.find(runId);
    // Later messages are appended, so pages are stable.
    const { items, nextCursor } = pageOf(
      conversationView(questions),
      'conversation',
      (message) => message.messageId,
      page,
    );
    return { items: [...items], nextCursor };
  }

  /** Returns the questions, newest first. */
  async list(filter: QuestionFilter, page: PageRequest): Promise<PageView<QuestionView>> {
    const { items, nextCursor } = await this.storage.listQuestions(filter, page);
    return { items: items.map(questionView), nextCursor };
  }

  /** @throws {ApiError} `question_not_found` */
  async get(questionId: string): Promise<QuestionView> {
    const found = await this.storage.findQuestion(questionId);
    if (found === undefined) throw questionNotFound(questionId);
    return questionView(found);
  }
}
