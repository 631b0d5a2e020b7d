import { z } from 'zod';
import { findSchemaError } from '@countersign/bpmn';
import type { AgentTool } from '../../contributions/tool-source.js';
import { ToolError } from '../../contributions/tool.js';
import {
  addIsoDuration,
  findJsonProblem,
  type JsonObject,
  parseIsoDuration,
  type QuestionDraft,
} from '@countersign/model';
import { toAgentTool } from './to-agent-tool.js';

export const HUMAN_ASK = 'human.ask';

const MAX_SCHEMA_CHARACTERS = 10_000;
const MAX_FALLBACK_CHARACTERS = 10_000;
const MIN_DUE_MS = 1_000;
const MAX_DUE_MS = 366 * 86_400_000;

const HumanAskInput = z
  .strictObject({
    question: z
      .string()
      .min(1)
      .max(4_000)
      .describe('The question, with everything that a person without any context needs to answer it.'),
    options: z
      .array(z.string().min(1).max(200))
      .min(2)
      .max(20)
      .optional()
      .describe('The possible answers, one of which the person chooses.'),
    answerSchema: z
      .record(z.string(), z.json())
      .optional()
      .describe('A JSON Schema (2020-12) of the answer, if it is neither free text nor one of "options".'),
    dueIn: z
      .string()
      .optional()
      .describe('How long to wait for the answer: an ISO 8601 duration such as PT4H. If omitted, there is no limit.'),
    onDue: z
      .enum(['continue', 'incident'])
      .optional()
      .describe(
        'If nobody answers in time: continue with "fallbackAnswer", or stop the step until an operator handles it. "continue" by default.',
      ),
    fallbackAnswer: z.json().optional().describe('The answer to use if nobody answers in time.'),
  })
  .superRefine(({ options, answerSchema, dueIn, onDue, fallbackAnswer }, context) => {
    const addIssue = (path: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (options !== undefined && new Set(options).size < options.length)
      addIssue('options', 'An option is listed twice.');
    if (options !== undefined && answerSchema !== undefined)
      addIssue('answerSchema', 'Give "options" or "answerSchema", not both.');
    const schemaError = answerSchema === undefined ? undefined : findAnswerSchemaError(answerSchema);
    if (schemaError !== undefined) addIssue('answerSchema', schemaError);
    if (dueIn === undefined && (onDue !== undefined || fallbackAnswer !== undefined))
      addIssue('dueIn', 'It is required if "onDue" or "fallbackAnswer" is given.');
    if (dueIn !== undefined && parseDueMs(dueIn) === undefined)
      addIssue('dueIn', 'Expected an ISO 8601 duration from PT1S to P1Y.');
    if (fallbackAnswer === undefined) return;
    if (onDue === 'incident') addIssue('fallbackAnswer', 'It has no effect if "onDue" is "incident". Omit it.');
    if (JSON.stringify(fallbackAnswer).length > MAX_FALLBACK_CHARACTERS)
      addIssue('fallbackAnswer', `It is longer than ${MAX_FALLBACK_CHARACTERS} characters.`);
    if (options !== undefined && !options.some((option) => option === fallbackAnswer))
      addIssue('fallbackAnswer', 'It is not one of the options.');
  });

/** Tool that asks users a question. The engine opens the question; no worker executes the call. */
export const humanAsk: AgentTool = toAgentTool({
  name: HUMAN_ASK,
  description:
    'Asks the people who run this workflow a question, and returns {answered, answer}: "answered" is false if nobody answered in time. Use it when you need information that neither the inputs nor the tools provide, or when a person should choose. It may take days.',
  input: HumanAskInput,
  output: z.json(),
  effect: 'read',
  reversible: true,
  unknownOutcome: 'repeat',
  call: () =>
    Promise.reject(new ToolError('not_callable', `A worker cannot execute ${HUMAN_ASK}: people answer the question.`)),
});

/** Converts normalised arguments of {@link humanAsk} to a question. */
export function toQuestionDraft(normalisedArguments: JsonObject): QuestionDraft {
  const { question, options, answerSchema, dueIn, onDue, fallbackAnswer } = HumanAskInput.parse(normalisedArguments);
  return {
    text: question,
    options: options ?? null,
    answerSchema: answerSchema ?? null,
    dueInMs: dueIn === undefined ? null : (parseDueMs(dueIn) ?? null),
    onDue: onDue === 'incident' ? { kind: 'incident' } : { kind: 'continue', answer: fallbackAnswer ?? null },
  };
}

function findAnswerSchemaError(schema: JsonObject): string | undefined {
  if (JSON.stringify(schema).length > MAX_SCHEMA_CHARACTERS)
    return `It is longer than ${MAX_SCHEMA_CHARACTERS} characters.`;
  const problem = findJsonProblem(schema);
  if (problem !== undefined) return `At ${problem.pointer}: ${problem.message}`;
  const schemaError = findSchemaError(schema);
  return schemaError === undefined ? undefined : `It is not a usable JSON Schema: ${schemaError}.`;
}

function parseDueMs(text: string): number | undefined {
  const duration = parseIsoDuration(text);
  const milliseconds = duration === undefined || duration.negative ? undefined : addIsoDuration(0, duration);
  return milliseconds === undefined || milliseconds < MIN_DUE_MS || milliseconds > MAX_DUE_MS
    ? undefined
    : milliseconds;
}
