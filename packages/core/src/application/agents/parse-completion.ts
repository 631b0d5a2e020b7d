import { RetryableFailure, TerminalFailure } from '../../contributions/job-handler.js';
import type { ModelCompletion } from '../../contributions/model-provider.js';
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
import { findInputErrors } from '../find-input-errors.js';
import { isValidUsage } from './usage.js';
import { parseJsonCompletion } from './parse-json-completion.js';
import { fromModelArguments } from './model-tools.js';
import { proposeCall, proposeUnknownCall } from './propose-call.js';
import { sanitizeJson, sanitizeString } from './sanitize-json.js';
import { stripReasoning, stripReasoningAroundJson } from './strip-reasoning.js';
import { toModelToolName } from './tool-names.js';

const MAX_COMPLETION_BYTES = 1_000_000;
const MAX_CALLS = 64;
const MAX_CALL_ID_CHARACTERS = 200;
const MAX_PROBLEMS = 10;
/** Maximum length of one problem, in characters; problems may quote names that the language model wrote. */
const MAX_PROBLEM_CHARACTERS = 2_000;

/** Response of the language model, ready to be recorded. */
export type ParsedCompletion = Pick<AgentTurn, 'text' | 'calls' | 'opaque' | 'final'>;

/**
 * Converts a redacted response to calls or a final output.
 *
 * - A truncated response is not used, because its calls may be truncated too. The language model may repair it once,
 *   with a shorter response.
 * - If the language model declines, the step fails and no further request is sent.
 *
 * @throws {RetryableFailure} `model_answer_malformed`
 * @throws {TerminalFailure} `model_declined`
 */
export async function parseCompletion(
  completion: ModelCompletion,
  definition: AgentDefinition,
  tools: readonly AgentTool[],
): Promise<ParsedCompletion> {
  if (completion.stop === 'refusal')
    throw new TerminalFailure(
      'model_declined',
      `The language model ${definition.model.name} declined to answer. Change the prompt of the step or of the agent "${definition.name}", then recover the step.`,
    );
  assertWellFormed(completion);
  const text = completion.text === null ? null : sanitizeString(completion.text);
  if (completion.stop === 'length') {
    const problems = [`It was cut off after ${definition.model.maxOutputTokens} tokens. Answer in fewer words.`];
    return { text, calls: [], opaque: null, final: { problems } };
  }
  const opaque = sanitizeJson(completion.opaque);
  if (opaque === undefined) throw malformedError('its data for the next turn cannot be stored');
  const calls = completion.calls.map(({ id, name, arguments: callArguments }) =>
    toProposedCall(tools, id, name, callArguments),
  );
  if (calls.length > 0) return { text, calls, opaque, final: null };
  return { text, calls, opaque, final: await parseFinalText(text ?? '', definition) };
}

function toProposedCall(tools: readonly AgentTool[], id: string, name: string, callArguments: Json): ProposedCall {
  const tool = tools.find((each) => toModelToolName(each.name) === name) ?? tools.find((each) => each.name === name);
  return tool === undefined
    ? proposeUnknownCall(
        name,
        id,
        callArguments,
        tools.map((each) => toModelToolName(each.name)),
      )
    : proposeCall(tool, id, fromModelArguments(tool, callArguments));
}

async function parseFinalText(text: string, { outputSchema }: AgentDefinition): Promise<AgentTurn['final']> {
  if (text.trim() === '') return { problems: ['It is empty.'] };
  const visibleText = outputSchema === null ? stripReasoning(text) : stripReasoningAroundJson(text);
  if (visibleText.trim() === '')
    return { problems: ['It contains only reasoning. Write the answer after the reasoning.'] };
  if (outputSchema === null) return { output: { text: visibleText } };
  const parsed = parseJsonCompletion(visibleText);
  if ('problem' in parsed) return { problems: [parsed.problem] };
  const output = parsed.value;
  if (!isJsonObject(output)) return { problems: ['It is not a JSON object.'] };
  const fieldErrors = await findInputErrors(
    { digest: `sha256:${sha256Hex(canonicalJson(outputSchema))}`, inputSchema: outputSchema },
    output,
  );
  if (fieldErrors === undefined) return { output };
  return {
    problems: fieldErrors
      .slice(0, MAX_PROBLEMS)
      .map(({ pointer, message }) => `At ${pointer.replace(/^\/inputs/, '') || '/'}: ${message}`)
      .map((problem) => sanitizeString(problem.slice(0, MAX_PROBLEM_CHARACTERS))),
  };
}

function assertWellFormed({ text, calls, opaque, usage }: ModelCompletion): void {
  if (!isValidUsage(usage)) throw malformedError('its token counts are not whole numbers from 0 to a billion');
  if (calls.length > MAX_CALLS)
    throw malformedError(`it proposes ${calls.length} calls, but at most ${MAX_CALLS} are allowed`);
  const ids = new Set(calls.map(({ id }) => id));
  if (ids.size < calls.length) throw malformedError('two of its calls have the same id');
  if (calls.some(({ id }) => id === '' || id.length > MAX_CALL_ID_CHARACTERS || sanitizeString(id) !== id))
    throw malformedError('one of its calls has no usable id');
  const size = Buffer.byteLength(text ?? '') + Buffer.byteLength(JSON.stringify([calls, opaque]));
  if (size > MAX_COMPLETION_BYTES)
    throw malformedError(`it has ${size} bytes, but at most ${MAX_COMPLETION_BYTES} are allowed`);
}

function malformedError(reason: string): RetryableFailure {
  return new RetryableFailure(
    'model_answer_malformed',
    `The response of the language model cannot be used: ${reason}.`,
  );
}
