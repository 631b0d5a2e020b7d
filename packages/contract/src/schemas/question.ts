import { QUESTION_STATUSES } from '@countersign/model';
import { z } from 'zod';
import {
  elementIdSchema,
  idSchema,
  jsonObjectSchema,
  jsonValueSchema,
  principalSchema,
  timestampSchema,
  workflowIdSchema,
} from './common.js';
import { listOf } from './list.js';
import { pageQueryShape } from './query.js';

export const questionStatusSchema = z.enum(QUESTION_STATUSES).meta({ id: 'QuestionStatus' });

export const questionSchema = z
  .object({
    questionId: idSchema,
    runId: idSchema,
    workflowId: workflowIdSchema,
    stepId: idSchema,
    elementId: elementIdSchema,
    agentName: z
      .string()
      .meta({ description: 'The agent on whose step the run waits, by the name of its definition.' }),
    purpose: z.enum(['ask', 'budget', 'outcome']).meta({
      description:
        '`ask`: an agent asks. `budget`: the service asks whether an agent that has used up its budget may go on (`continue`, `stop`). ' +
        '`outcome`: the service asks what became of a call that was under way when its worker was lost: `done`, `not_done` (it is made now), or `skip` (the agent goes on without it).',
    }),
    callId: idSchema.nullable().meta({ description: 'The call of the agent that it is about.' }),
    text: z.string(),
    options: z.array(z.string()).nullable().meta({ description: 'One of these is the answer.' }),
    answerSchema: jsonObjectSchema.nullable().meta({
      description:
        'JSON Schema (2020-12) of the answer. Without it and without options the answer is a text of 1 to 10,000 characters.',
    }),
    status: questionStatusSchema,
    askedAt: timestampSchema,
    dueAt: timestampSchema
      .nullable()
      .meta({ description: 'Until then it can be answered; `null`: it waits without end.' }),
    onDue: z.object({ kind: z.enum(['continue', 'incident']), answer: jsonValueSchema }).meta({
      description:
        'What follows where nobody answers in time: the agent goes on with `answer` (`null`: it is told that nobody answered), or the step is an incident.',
    }),
    answer: jsonValueSchema.meta({ description: '`null` where there is none.' }),
    answeredBy: principalSchema.nullable(),
    answeredByName: z.string().nullable(),
    closedAt: timestampSchema.nullable().meta({ description: 'When it was answered, withdrawn, or had expired.' }),
  })
  .meta({ id: 'Question', description: 'A question to people that a step waits for.' });

export const questionListSchema = listOf(questionSchema, 'QuestionList');

export const answerBodySchema = z
  .strictObject({
    answer: jsonValueSchema.meta({
      description: 'One of the options; else what fits the schema; else a text of 1 to 10,000 characters.',
    }),
  })
  .meta({ id: 'AnswerQuestion', example: { answer: 'Yes, on Tuesday.' } });

export const listQuestionsQuerySchema = z.strictObject({
  ...pageQueryShape,
  status: z.enum([...QUESTION_STATUSES, 'all']).default('pending'),
  runId: idSchema.optional(),
  workflowId: workflowIdSchema.optional(),
});

export type Question = z.infer<typeof questionSchema>;
export type QuestionStatus = Question['status'];
export type AnswerBody = z.infer<typeof answerBodySchema>;
/** The filters after validation, with defaults. */
export type ListQuestionsQuery = z.output<typeof listQuestionsQuerySchema>;
