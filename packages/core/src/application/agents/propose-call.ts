import {
  findJsonProblem,
  InexactNumberError,
  isJsonObject,
  type Json,
  type JsonObject,
  parseExactJson,
  type ProposedCall,
  readDestination,
  sha256Hex,
  type ToolFacts,
} from '@countersign/model';
import type { AgentTool } from '../../contributions/tool-source.js';
import { HUMAN_ASK, toQuestionDraft } from './human-ask.js';
import { sanitizeJson, sanitizeString } from './sanitize-json.js';

/** Problem code of a call whose arguments do not fit its tool. */
export const INVALID_ARGUMENTS = 'invalid_arguments';

const MAX_DETAIL_CHARACTERS = 4_000;
const MAX_NAME_CHARACTERS = 128;

/** Proposes a tool call with checked and normalised arguments, or with a problem if it cannot be executed. */
export function proposeCall(tool: AgentTool, toolCallId: string, callArguments: Json): ProposedCall {
  const parsed =
    typeof callArguments === 'string'
      ? { problems: [describeUnparsedArguments(callArguments)] }
      : tool.parseArguments(callArguments);
  if ('problems' in parsed)
    return buildInvalidCall(
      toToolFacts(tool),
      toolCallId,
      callArguments,
      INVALID_ARGUMENTS,
      `The arguments do not match the schema of the tool: ${parsed.problems.join(' ').slice(0, MAX_DETAIL_CHARACTERS)}`,
    );
  const { arguments: normalisedArguments } = parsed;
  try {
    return {
      ...toToolFacts(tool, normalisedArguments),
      toolCallId,
      arguments: normalisedArguments,
      problem: null,
      question: tool.name === HUMAN_ASK ? toQuestionDraft(normalisedArguments) : null,
    };
  } catch (error) {
    // If the tool cannot determine the hosts or artifacts, no policy decision is possible.
    return buildInvalidCall(
      toToolFacts(tool),
      toolCallId,
      callArguments,
      INVALID_ARGUMENTS,
      `The tool cannot use these arguments: ${error instanceof Error ? error.message.slice(0, MAX_DETAIL_CHARACTERS) : 'unknown'}`,
    );
  }
}

/** Describes the problem of arguments that are a string because the provider could not parse them as storable JSON. */
function describeUnparsedArguments(text: string): string {
  try {
    const problem = findJsonProblem(parseExactJson(text));
    return problem === undefined
      ? 'They must be one JSON object, not a string that contains JSON.'
      : `At "${problem.pointer}": ${problem.message}`;
  } catch (error) {
    if (error instanceof InexactNumberError) return error.message;
    return `They are not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/**
 * Proposes a call of a tool that does not exist or is not available in this step. Assumes an irreversible write,
 * because nothing is known about the tool.
 */
export function proposeUnknownCall(
  name: string,
  toolCallId: string,
  callArguments: Json,
  availableTools: readonly string[],
): ProposedCall {
  const tool = sanitizeString(name).slice(0, MAX_NAME_CHARACTERS);
  const facts: ToolFacts = {
    tool,
    toolDigest: `sha256:${sha256Hex('')}`,
    effect: 'write',
    reversible: false,
    hosts: [],
    artifacts: [],
  };
  return buildInvalidCall(
    facts,
    toolCallId,
    callArguments,
    'unknown_tool',
    `There is no such tool. ${availableTools.length === 0 ? 'No tools are available.' : `Available tools: ${availableTools.join(', ')}.`}`,
  );
}

function toToolFacts(tool: AgentTool, normalisedArguments?: JsonObject): ToolFacts {
  const { name, digest, effect, reversible } = tool;
  return {
    tool: name,
    toolDigest: digest,
    effect,
    reversible,
    ...readDestination(normalisedArguments === undefined ? [] : tool.hosts(normalisedArguments)),
    artifacts: normalisedArguments === undefined ? [] : [...new Set(tool.artifacts(normalisedArguments))].sort(),
  };
}

function buildInvalidCall(
  facts: ToolFacts,
  toolCallId: string,
  callArguments: Json,
  code: string,
  message: string,
): ProposedCall {
  const sanitized = sanitizeJson(callArguments);
  return {
    ...facts,
    toolCallId,
    arguments: isJsonObject(sanitized) ? sanitized : {},
    // The message may quote the language model.
    problem: { code, message: sanitizeString(message) },
    question: null,
  };
}
