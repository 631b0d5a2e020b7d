import { QUESTION_STATUSES } from '@countersign/model';
import { z } from 'zod';
import {
  elementIdSchema,
  idSchema,
  jsonObjectSchema,
  jsonValueSchema,
  principalSchema,
  timestampInputSchema,
  timestampSchema,
  workflowIdSchema,
} from './common.js';
import { buildListSchema } from './list.js';
import { pageQueryShape, searchSchema } from './query.js';

export const questionStatusSchema = z.enum(QUESTION_STATUSES).meta({ id: 'QuestionStatus' });

export const questionSchema = z
  .object({
    questionId: idSchema,
    runId: idSchema,
    workflowId: workflowIdSchema,
    stepId: idSchema,
    elementId: elementIdSchema,
    agentName: z.string().meta({ description: 'Name of the definition of the agent whose step waits.' }),
    purpose: z.enum(['ask', 'budget', 'outcome']).meta({
      description:
        '`ask`: an agent asks. `budget`: the server asks whether an agent that has exhausted its budget may continue (`continue`, `stop`). ' +
        '`outcome`: the server asks for the outcome of a tool call whose worker was lost: `done`, `not_done` (it is executed now), or `skip` (the agent continues without it).',
    }),
    callId: idSchema.nullable().meta({ description: 'The tool call that the question concerns.' }),
    text: z.string(),
    options: z.array(z.string()).nullable().meta({ description: 'The possible answers.' }),
    answerSchema: jsonObjectSchema.nullable().meta({
      description:
        'JSON Schema (2020-12) of the answer. Without a schema and options, the answer is a string of 1 to 10,000 characters.',
    }),
    status: questionStatusSchema,
    askedAt: timestampSchema,
    dueAt: timestampSchema
      .nullable()
      .meta({ description: 'Time until which the question can be answered; `null`: no limit.' }),
    onDue: z.object({ kind: z.enum(['continue', 'incident']), answer: jsonValueSchema }).meta({
      description:
        'What happens if no user answers in time: the agent continues with `answer` (`null`: it is informed that no user answered), or the step gets an incident.',
    }),
    answer: jsonValueSchema.meta({ description: 'The submitted answer; `null` if there is none.' }),
    answeredBy: principalSchema.nullable(),
    answeredByName: z.string().nullable(),
    closedAt: timestampSchema
      .nullable()
      .meta({ description: 'Time at which the question was answered, withdrawn or expired.' }),
  })
  .meta({ id: 'Question', description: 'A question to users whose answer a step waits for.' });

export const questionListSchema = buildListSchema(questionSchema, 'QuestionList');

export const answerBodySchema = z
  .strictObject({
    answer: jsonValueSchema.meta({
      description:
        'One of the options; or else a value that matches the schema; or else a string of 1 to 10,000 characters.',
    }),
  })
  .meta({ id: 'AnswerQuestion', example: { answer: 'Yes, on Tuesday.' } });

export const listQuestionsQuerySchema = z.strictObject({
  ...pageQueryShape,
  status: z.enum([...QUESTION_STATUSES, 'all']).default('pending'),
  runId: idSchema.optional(),
  workflowId: workflowIdSchema.optional(),
  dueBefore: timestampInputSchema.optional(),
  q: searchSchema.optional().meta({
    description:
      'Text that an id, the question, the name of the agent, the workflow id or the business key of the run contains; case-insensitive.',
  }),
  sort: z
    .enum(['newest', 'due'])
    .default('newest')
    .meta({ description: '`due`: earliest first, questions without `dueAt` last.' }),
});

export type Question = z.infer<typeof questionSchema>;
export type QuestionStatus = Question['status'];
export type AnswerBody = z.infer<typeof answerBodySchema>;
/** The filters after validation, with defaults. */
export type ListQuestionsQuery = z.output<typeof listQuestionsQuerySchema>;
