import { defineRoute } from '../define-route.js';
import { conversationSchema, listConversationQuerySchema } from '../schemas/conversation.js';
import { answerBodySchema, listQuestionsQuerySchema, questionListSchema, questionSchema } from '../schemas/question.js';
import { oneQuestionParams, questionParams, runParams } from './params.js';
import { json } from './respond.js';

export const conversationRoutes = {
  listConversation: defineRoute({
    operationId: 'listConversation',
    method: 'get',
    path: '/api/runs/{runId}/conversation',
    tag: 'conversation',
    summary: 'List the conversation of a run',
    description:
      'Oldest first: the questions of agents and of the service, the answers of people, and what became of questions that nobody answered.',
    role: 'viewer',
    params: runParams,
    notFound: 'run_not_found',
    query: listConversationQuerySchema,
    responses: { 200: json(conversationSchema, 'A page of messages.') },
    errors: [],
  }),
  answerQuestion: defineRoute({
    operationId: 'answerQuestion',
    method: 'post',
    path: '/api/runs/{runId}/conversation/{questionId}/answer',
    tag: 'conversation',
    summary: 'Answer a question',
    description:
      'The run goes on with the answer. Who answers comes from the token alone and is recorded; services do not answer, because the word of a person is what agents may rely on. ' +
      'The first answer holds: later ones are 409 with `questionStatus`, `answeredBy` and `closedAt`.',
    role: 'operator',
    params: questionParams,
    notFound: 'question_not_found',
    body: answerBodySchema,
    requestExamples: {
      text: { summary: 'A text', value: { answer: 'Yes, on Tuesday.' } },
      structured: {
        summary: 'What fits the schema of the question',
        value: { answer: { severity: 'high', team: 'payments' } },
      },
    },
    responses: { 200: json(questionSchema, 'The question with its answer.') },
    errors: ['question_already_answered', 'service_cannot_answer', 'invalid_answer', 'conflict'],
    idempotent: true,
  }),
  getQuestion: defineRoute({
    operationId: 'getQuestion',
    method: 'get',
    path: '/api/questions/{questionId}',
    tag: 'conversation',
    summary: 'Get a question',
    description: 'Of which run it is, for example, where a run waits for a question of one that it has called.',
    role: 'viewer',
    params: oneQuestionParams,
    notFound: 'question_not_found',
    responses: { 200: json(questionSchema, 'The question.') },
    errors: [],
  }),
  listQuestions: defineRoute({
    operationId: 'listQuestions',
    method: 'get',
    path: '/api/questions',
    tag: 'conversation',
    summary: 'List questions',
    description: 'The inbox of those who answer: pending ones, newest first, where nothing else is asked for.',
    role: 'viewer',
    query: listQuestionsQuerySchema,
    responses: { 200: json(questionListSchema, 'A page of questions.') },
    errors: [],
  }),
};
