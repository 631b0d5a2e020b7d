import { inject, injectable } from 'inversify';
import type { PageRequest, QuestionFilter } from '../../ports/records.js';
import { StoragePort } from '../../ports/storage.js';
import { pageOf } from '../page-in-memory.js';
import { questionNotFound } from '../refuse.js';
import { RunQueries, type PageView } from '../run-queries.js';
import { conversationView, type ConversationMessageView } from '../views/conversation-view.js';
import { questionView, type QuestionView } from '../views/question-view.js';

/** Questions to people: those of one run as a conversation, and those of all as an inbox. */
@injectable()
export class ConversationQueries {
  constructor(
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(RunQueries) private readonly runs: RunQueries,
  ) {}

  /** Oldest first. @throws {ApiError} `run_not_found`, `invalid_cursor` */
  async conversation(runId: string, page: PageRequest): Promise<PageView<ConversationMessageView>> {
    const questions = await this.storage.listRunQuestions(runId);
    // Most runs ask nothing; they have to be told from those that are not there.
    if (questions.length === 0) await this.runs.find(runId);
    // What is said later comes behind, so a page stays what it was.
    const { items, nextCursor } = pageOf(
      conversationView(questions),
      'conversation',
      (message) => message.messageId,
      page,
    );
    return { items: [...items], nextCursor };
  }

  /** Newest first. */
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
