import { defineRoute } from '../define-route.js';
import { conversationSchema, listConversationQuerySchema } from '../schemas/conversation.js';
import { answerBodySchema, listQuestionsQuerySchema, questionListSchema, questionSchema } from '../schemas/question.js';
import { questionIdParams, questionParams, runParams } from './params.js';
import { jsonResponse } from './json-response.js';

export const conversationRoutes = {
  listConversation: defineRoute({
    operationId: 'listConversation',
    method: 'get',
    path: '/api/runs/{runId}/conversation',
    tag: 'conversation',
    summary: 'List the conversation of a run',
    description:
      'Questions of agents and of the server, answers of users, and the expiry or withdrawal of unanswered questions, oldest first.',
    role: 'viewer',
    params: runParams,
    notFound: 'run_not_found',
    query: listConversationQuerySchema,
    responses: { 200: jsonResponse(conversationSchema, 'A page of messages.') },
    errors: [],
  }),
  answerQuestion: defineRoute({
    operationId: 'answerQuestion',
    method: 'post',
    path: '/api/runs/{runId}/conversation/{questionId}/answer',
    tag: 'conversation',
    summary: 'Answer a question',
    description:
      'The run resumes with the answer. The user of the token is recorded as the author of the answer. Service accounts cannot answer, because agents rely on answers from people. ' +
      'Only the first answer counts: later ones are refused with 409 and `questionStatus`, `answeredBy` and `closedAt`.',
    role: 'operator',
    params: questionParams,
    notFound: 'question_not_found',
    body: answerBodySchema,
    requestExamples: {
      text: { summary: 'A text answer', value: { answer: 'Yes, on Tuesday.' } },
      structured: {
        summary: 'An answer that matches the schema of the question',
        value: { answer: { severity: 'high', team: 'payments' } },
      },
    },
    responses: { 200: jsonResponse(questionSchema, 'The question with its answer.') },
    errors: ['question_already_answered', 'service_cannot_answer', 'invalid_answer', 'conflict'],
    idempotent: true,
  }),
  getQuestion: defineRoute({
    operationId: 'getQuestion',
    method: 'get',
    path: '/api/questions/{questionId}',
    tag: 'conversation',
    summary: 'Get a question',
    description:
      'Returns the question with the id of its run, for example if a run waits for a question of a child run.',
    role: 'viewer',
    params: questionIdParams,
    notFound: 'question_not_found',
    responses: { 200: jsonResponse(questionSchema, 'The question.') },
    errors: [],
  }),
  listQuestions: defineRoute({
    operationId: 'listQuestions',
    method: 'get',
    path: '/api/questions',
    tag: 'conversation',
    summary: 'List questions',
    description: 'Returns the pending questions by default, and the newest first.',
    role: 'viewer',
    query: listQuestionsQuerySchema,
    responses: { 200: jsonResponse(questionListSchema, 'A page of questions.') },
    errors: [],
  }),
};
