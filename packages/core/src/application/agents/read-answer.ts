import { RetryableFailure, TerminalFailure } from '../../contributions/job-handler.js';
import type { ModelAnswer } from '../../contributions/model-provider.js';
import type { AgentTool } from '../../contributions/tool-source.js';
import {
  type AgentDefinition,
  type AgentTurn,
  canonicalJson,
  isJsonObject,
  type Json,
  type ProposedCall,
  sha256Hex,
} from '@countersign/model';
import { findInputErrors } from '../check-inputs.js';
import { isUsage } from './usage.js';
import { readJsonAnswer } from './json-answer.js';
import { argumentsOfModel } from './model-tools.js';
import { proposeCall, unknownCall } from './propose-call.js';
import { sanitizeJson, sanitizeString } from './sanitize-json.js';
import { withoutThoughts, withoutThoughtsAroundJson } from './thoughts.js';
import { modelName } from './tool-names.js';

const MAX_ANSWER_BYTES = 1_000_000;
const MAX_CALLS = 64;
const MAX_CALL_ID = 200;
const MAX_PROBLEMS = 10;
/** Maximum length of one problem, in characters; it quotes names that the language model wrote. */
const MAX_PROBLEM = 2_000;

/** Response of the language model, ready to be recorded. */
export type ReadAnswer = Pick<AgentTurn, 'text' | 'calls' | 'opaque' | 'final'>;

/**
 * Converts a redacted response to calls or a final output.
 *
 * - A truncated response is not used, because its calls may be truncated too. The language model may repair it once,
 *   with a shorter response.
 * - A language model that declines gets no further request.
 *
 * @throws {RetryableFailure} `model_answer_malformed`
 * @throws {TerminalFailure} `model_declined`
 */
export async function readAnswer(
  answer: ModelAnswer,
  definition: AgentDefinition,
  tools: readonly AgentTool[],
): Promise<ReadAnswer> {
  if (answer.stop === 'refusal')
    throw new TerminalFailure(
      'model_declined',
      `The language model ${definition.model.name} declined to answer. Change the prompt of the step or of the agent "${definition.name}", then recover the step.`,
    );
  refuseMalformed(answer);
  const text = answer.text === null ? null : sanitizeString(answer.text);
  if (answer.stop === 'length') {
    const problems = [`It was cut off after ${definition.model.maxOutputTokens} tokens. Answer in fewer words.`];
    return { text, calls: [], opaque: null, final: { problems } };
  }
  const opaque = sanitizeJson(answer.opaque);
  if (opaque === undefined) throw malformed('its data for the next turn cannot be stored');
  const calls = answer.calls.map(({ id, name, arguments: given }) => proposed(tools, id, name, given));
  if (calls.length > 0) return { text, calls, opaque, final: null };
  return { text, calls, opaque, final: await endOf(text ?? '', definition) };
}

function proposed(tools: readonly AgentTool[], id: string, name: string, given: Json): ProposedCall {
  const tool = tools.find((each) => modelName(each.name) === name) ?? tools.find((each) => each.name === name);
  return tool === undefined
    ? unknownCall(
        name,
        id,
        given,
        tools.map((each) => modelName(each.name)),
      )
    : proposeCall(tool, id, argumentsOfModel(tool, given));
}

async function endOf(text: string, { outputSchema }: AgentDefinition): Promise<AgentTurn['final']> {
  if (text.trim() === '') return { problems: ['It is empty.'] };
  const said = outputSchema === null ? withoutThoughts(text) : withoutThoughtsAroundJson(text);
  if (said.trim() === '') return { problems: ['It contains only thoughts. Write the answer after them.'] };
  if (outputSchema === null) return { output: { text: said } };
  const answer = readJsonAnswer(said);
  if ('problem' in answer) return { problems: [answer.problem] };
  const output = answer.value;
  if (!isJsonObject(output)) return { problems: ['It is not a JSON object.'] };
  const faults = await findInputErrors(
    { digest: `sha256:${sha256Hex(canonicalJson(outputSchema))}`, inputSchema: outputSchema },
    output,
  );
  if (faults === undefined) return { output };
  return {
    problems: faults
      .slice(0, MAX_PROBLEMS)
      .map(({ pointer, message }) => `At ${pointer.replace(/^\/inputs/, '') || '/'}: ${message}`)
      .map((problem) => sanitizeString(problem.slice(0, MAX_PROBLEM))),
  };
}

function refuseMalformed({ text, calls, opaque, usage }: ModelAnswer): void {
  if (!isUsage(usage)) throw malformed('its token counts are not whole numbers from 0 to a billion');
  if (calls.length > MAX_CALLS)
    throw malformed(`it proposes ${calls.length} calls, but at most ${MAX_CALLS} are allowed`);
  const ids = new Set(calls.map(({ id }) => id));
  if (ids.size < calls.length) throw malformed('two of its calls have the same id');
  if (calls.some(({ id }) => id === '' || id.length > MAX_CALL_ID || sanitizeString(id) !== id))
    throw malformed('one of its calls has no usable id');
  const size = Buffer.byteLength(text ?? '') + Buffer.byteLength(JSON.stringify([calls, opaque]));
  if (size > MAX_ANSWER_BYTES) throw malformed(`it has ${size} bytes, but at most ${MAX_ANSWER_BYTES} are allowed`);
}

function malformed(reason: string): RetryableFailure {
  return new RetryableFailure(
    'model_answer_malformed',
    `The response of the language model cannot be used: ${reason}.`,
  );
}
