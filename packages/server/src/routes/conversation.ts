import type { Handlers } from '../app/route-context.js';
import { defined, replyOf } from './runs.js';

export const conversationHandlers: Pick<
  Handlers,
  'listConversation' | 'answerQuestion' | 'listQuestions' | 'getQuestion'
> = {
  listConversation: async ({ services, request }) => {
    const { limit, cursor } = request.query;
    return {
      body: await services.app.conversations.conversation(request.params.runId, { limit, ...defined({ cursor }) }),
    };
  },

  answerQuestion: async ({ services, request, caller }) => {
    const answer = await services.app.answerQuestion.execute(
      { ...request.params, answer: request.body.answer },
      caller,
    );
    services.metrics.command('answerQuestion');
    return replyOf(answer);
  },

  listQuestions: async ({ services, request }) => {
    const { limit, cursor, status, ...rest } = request.query;
    const filter = { ...defined(rest), ...(status === 'all' ? {} : { status }) };
    return { body: await services.app.conversations.list(filter, { limit, ...defined({ cursor }) }) };
  },

  getQuestion: async ({ services, request }) => ({
    body: await services.app.conversations.get(request.params.questionId),
  }),
};
