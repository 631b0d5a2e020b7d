import { z } from 'zod';
import { findSchemaFault } from '../../bpmn/schema-faults.js';
import type { AgentTool } from '../../contributions/tool-source.js';
import { ToolError } from '../../contributions/tool.js';
import type { QuestionDraft } from '../../domain/agent.js';
import { findJsonProblem, type JsonObject } from '../../domain/json.js';
import { addIsoDuration, parseIsoDuration } from '../../domain/iso-8601.js';
import { contributedTool } from './contributed-tool.js';

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
      .describe('What to ask, with all that somebody needs who knows nothing else of it.'),
    options: z
      .array(z.string().min(1).max(200))
      .min(2)
      .max(20)
      .optional()
      .describe('The answers to choose from: the answer is one of them.'),
    answerSchema: z
      .record(z.string(), z.json())
      .optional()
      .describe('A JSON Schema (2020-12) of the answer, where it is neither a text nor a choice.'),
    dueIn: z
      .string()
      .optional()
      .describe('How long to wait for the answer: an ISO 8601 duration such as PT4H. Without it, for ever.'),
    onDue: z
      .enum(['continue', 'incident'])
      .optional()
      .describe(
        'Where nobody answers in time: go on with "fallbackAnswer", or stop the step until an operator sees to it. "continue" by default.',
      ),
    fallbackAnswer: z.json().optional().describe('The answer that counts where nobody answers in time.'),
  })
  .superRefine(({ options, answerSchema, dueIn, onDue, fallbackAnswer }, context) => {
    const fail = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message });
    if (options !== undefined && new Set(options).size < options.length)
      fail('options', 'An option stands here twice.');
    if (options !== undefined && answerSchema !== undefined)
      fail('answerSchema', 'Give "options" or "answerSchema", not both.');
    const fault = answerSchema === undefined ? undefined : faultOf(answerSchema);
    if (fault !== undefined) fail('answerSchema', fault);
    if (dueIn === undefined && (onDue !== undefined || fallbackAnswer !== undefined))
      fail('dueIn', 'It is needed where "onDue" or "fallbackAnswer" is given.');
    if (dueIn !== undefined && dueMs(dueIn) === undefined)
      fail('dueIn', 'Expected an ISO 8601 duration from PT1S to P1Y.');
    if (fallbackAnswer === undefined) return;
    if (onDue === 'incident') fail('fallbackAnswer', 'It has no meaning where "onDue" is "incident".');
    if (JSON.stringify(fallbackAnswer).length > MAX_FALLBACK_CHARACTERS)
      fail('fallbackAnswer', `It is longer than ${MAX_FALLBACK_CHARACTERS} characters.`);
    if (options !== undefined && !options.some((option) => option === fallbackAnswer))
      fail('fallbackAnswer', 'It is none of the options.');
  });

/** The tool that asks people. The engine opens the question; no worker makes a call of it. */
export const humanAsk: AgentTool = contributedTool({
  name: HUMAN_ASK,
  description:
    'Asks the people who run this workflow a question, and gives {answered, answer}: "answered" is false where nobody answered in time. Use it where something is needed that neither the inputs nor the tools tell, or where a person should choose. It may take days.',
  input: HumanAskInput,
  output: z.json(),
  effect: 'read',
  reversible: true,
  unknownOutcome: 'repeat',
  call: () => Promise.reject(new ToolError('not_callable', `${HUMAN_ASK} is answered by people.`)),
});

/** The question that normalised arguments of {@link humanAsk} ask. */
export function questionOf(normalised: JsonObject): QuestionDraft {
  const { question, options, answerSchema, dueIn, onDue, fallbackAnswer } = HumanAskInput.parse(normalised);
  return {
    text: question,
    options: options ?? null,
    answerSchema: answerSchema ?? null,
    dueInMs: dueIn === undefined ? null : (dueMs(dueIn) ?? null),
    onDue: onDue === 'incident' ? { kind: 'incident' } : { kind: 'continue', answer: fallbackAnswer ?? null },
  };
}

function faultOf(schema: JsonObject): string | undefined {
  if (JSON.stringify(schema).length > MAX_SCHEMA_CHARACTERS)
    return `It is longer than ${MAX_SCHEMA_CHARACTERS} characters.`;
  const problem = findJsonProblem(schema);
  if (problem !== undefined) return `At ${problem.pointer}: ${problem.message}`;
  const fault = findSchemaFault(schema);
  return fault === undefined ? undefined : `It is no usable JSON Schema: ${fault}.`;
}

function dueMs(text: string): number | undefined {
  const parsed = parseIsoDuration(text);
  const milliseconds = parsed === undefined || parsed.negative ? undefined : addIsoDuration(0, parsed);
  return milliseconds === undefined || milliseconds < MIN_DUE_MS || milliseconds > MAX_DUE_MS
    ? undefined
    : milliseconds;
}
