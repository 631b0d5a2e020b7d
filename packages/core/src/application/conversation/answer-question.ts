import { inject, injectable } from 'inversify';
import {
  ApiError,
  isApiError,
  type Json,
  type JsonObject,
  type QuestionRecord,
  toRecordedActor,
} from '@countersign/model';
import { ClockPort } from '../../ports/clock.js';
import { EnginePort, type CommandResponse, type CommandOutcome } from '../../ports/engine.js';
import { StoragePort } from '../../ports/storage.js';
import { buildRequestContext, type Caller } from '../caller.js';
import { questionNotFoundError } from '../errors.js';
import { withResponseType, toJsonResponse, toTimestampOrNull } from '../views/to-json-response.js';
import { toQuestionView, type QuestionView } from '../views/question-view.js';
import { assertValidAnswer } from './assert-valid-answer.js';

export interface AnswerInput {
  readonly runId: string;
  readonly questionId: string;
  readonly answer: Json;
}

/** Records a user's answer. The response is the question. */
@injectable()
export class AnswerQuestion {
  constructor(
    @inject(EnginePort) private readonly engine: EnginePort,
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(ClockPort) private readonly clock: ClockPort,
  ) {}

  /** @throws {ApiError} `question_not_found`, `question_already_answered`, `service_cannot_answer`, `invalid_answer` */
  async execute({ runId, questionId, answer }: AnswerInput, caller: Caller): Promise<CommandResponse<QuestionView>> {
    const question = await this.storage.findQuestion(questionId);
    // A UUID may be upper case.
    if (question === undefined || question.runId !== runId.toLowerCase()) throw questionNotFoundError(questionId);
    await this.requireUser(question, caller);
    // If the request repeats an earlier one, the engine returns the earlier response.
    if (question.status !== 'pending' && caller.idempotencyKey === undefined) throw alreadyClosedError(question);
    await assertValidAnswer(question, answer);
    try {
      return await withResponseType(
        this.engine.answerQuestion({
          context: buildRequestContext(caller, 'answerQuestion', {
            runId: question.runId,
            questionId: question.questionId,
            answer,
          }),
          questionId: question.questionId,
          answer,
          respond: toResponse,
        }),
      );
    } catch (error) {
      if (!(isApiError(error) && error.code === 'question_already_answered')) throw error;
      throw alreadyClosedError((await this.storage.findQuestion(questionId)) ?? question);
    }
  }

  /** Admits only users: answers are not tainted, and an agent with a token could otherwise answer its own question. */
  private async requireUser({ questionId, runId }: QuestionRecord, { actor, from, traceId }: Caller): Promise<void> {
    if (actor.type === 'user') return;
    const code = 'service_cannot_answer';
    const target = { type: 'question', id: questionId, runId };
    await this.storage.appendAudit([
      {
        at: this.clock.now(),
        actor: toRecordedActor(actor),
        action: 'question.answer',
        target,
        result: 'refused',
        from,
        data: { traceId, code },
      },
    ]);
    throw new ApiError(code, 'Only people can answer questions; this token belongs to a service or an agent.');
  }
}

function toResponse({ question }: CommandOutcome): JsonObject {
  if (question === null) throw new Error('The engine executed a question command but did not return the question.');
  return toJsonResponse(toQuestionView(question));
}

function alreadyClosedError({ status, answeredBy, closedAt }: QuestionRecord): ApiError {
  const message = status === 'answered' ? 'The question has already been answered.' : 'The question is no longer open.';
  return new ApiError('question_already_answered', message, {
    questionStatus: status,
    answeredBy: answeredBy?.id ?? null,
    closedAt: toTimestampOrNull(closedAt),
  });
}
