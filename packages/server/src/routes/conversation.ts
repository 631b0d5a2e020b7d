import type { Handlers } from '../app/route-context.js';
import { parseInstant } from './parse-instant.js';
import { omitUndefined, toHandlerResult } from './runs.js';

export const conversationHandlers: Pick<
  Handlers,
  'listConversation' | 'answerQuestion' | 'listQuestions' | 'getQuestion'
> = {
  listConversation: async ({ services, request }) => {
    const { limit, cursor } = request.query;
    return {
      body: await services.app.conversations.getConversation(request.params.runId, {
        limit,
        ...omitUndefined({ cursor }),
      }),
    };
  },

  answerQuestion: async ({ services, request, caller }) => {
    const commandResponse = await services.app.answerQuestion.execute(
      { ...request.params, answer: request.body.answer },
      caller,
    );
    services.metrics.recordCommand('answerQuestion');
    return toHandlerResult(commandResponse);
  },

  listQuestions: async ({ services, request }) => {
    const { limit, cursor, status, dueBefore, ...rest } = request.query;
    const filter = {
      ...omitUndefined(rest),
      ...(status === 'all' ? {} : { status }),
      ...(dueBefore === undefined ? {} : { dueBefore: parseInstant(dueBefore) }),
    };
    return { body: await services.app.conversations.list(filter, { limit, ...omitUndefined({ cursor }) }) };
  },

  getQuestion: async ({ services, request }) => ({
    body: await services.app.conversations.get(request.params.questionId),
  }),
};
