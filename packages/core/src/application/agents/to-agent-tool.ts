import { z } from 'zod';
import type { ToolCall, ToolContribution, LookupResult, ToolOutput } from '../../contributions/tool.js';
import { ToolError } from '../../contributions/tool.js';
import type { AgentTool } from '../../contributions/tool-source.js';
import {
  canonicalJson,
  findJsonProblem,
  isJsonObject,
  type Json,
  type JsonObject,
  pathToPointer,
  sha256Hex,
} from '@countersign/model';

const MAX_PROBLEMS = 10;

/** Converts a contributed tool to the tool interface of the runtime. */
export function toAgentTool(tool: ToolContribution): AgentTool {
  const { name, description, effect, reversible, unknownOutcome } = tool;
  const inputSchema = toJsonSchema(tool.input);
  const toolInfo = { name, description, inputSchema, effect, reversible, unknownOutcome };
  // The arguments were validated when the call was proposed. If they no longer fit, they have been changed since.
  const parseInput = (normalisedArguments: JsonObject) => tool.input.parse(normalisedArguments);
  return {
    ...toolInfo,
    digest: `sha256:${sha256Hex(canonicalJson(toolInfo))}`,
    parseArguments: (argumentsFromModel) => parseArguments(tool, argumentsFromModel),
    hosts: (normalisedArguments) => tool.hosts?.(parseInput(normalisedArguments)) ?? [],
    artifacts: (normalisedArguments) => tool.artifacts?.(parseInput(normalisedArguments)) ?? [],
    call: async (normalisedArguments, call) =>
      validateOutput(tool, await tool.call(parseInput(normalisedArguments), call)),
    lookUp: (normalisedArguments, call) => lookUp(tool, normalisedArguments, call),
  };
}

/** Converts a Zod schema to the JSON Schema of its input, before defaults are applied. */
export function toJsonSchema(schema: z.ZodType): JsonObject {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return JSON.parse(JSON.stringify(rest)) as JsonObject;
}

/** Returns the problems, each with its JSON Pointer (RFC 6901). Messages contain no values. */
export function describeIssues(error: z.ZodError): string[] {
  return error.issues.slice(0, MAX_PROBLEMS).map(({ path, message }) => {
    const pointer = pathToPointer(path);
    return pointer === '' ? message : `At ${pointer}: ${message}`;
  });
}

function parseArguments(
  { input }: ToolContribution,
  argumentsFromModel: Json,
): ReturnType<AgentTool['parseArguments']> {
  const parsed = input.safeParse(argumentsFromModel);
  if (!parsed.success) return { problems: describeIssues(parsed.error) };
  // Drops members that are undefined, because the arguments are recorded and displayed as JSON.
  const normalisedArguments = JSON.parse(JSON.stringify(parsed.data)) as Json;
  if (!isJsonObject(normalisedArguments)) return { problems: ['Expected an object.'] };
  const problem = findJsonProblem(normalisedArguments);
  return problem === undefined
    ? { arguments: normalisedArguments }
    : { problems: [`At ${problem.pointer}: ${problem.message}`] };
}

function validateOutput({ name, output }: ToolContribution, toolOutput: ToolOutput<unknown>): ToolOutput {
  const parsed = output.safeParse(toolOutput.content);
  if (parsed.success) return { ...toolOutput, content: parsed.data as Json };
  throw new ToolError(
    'tool_output_invalid',
    `The call was executed, but ${name} returned an invalid result: ${describeIssues(parsed.error).join(' ')}`,
  );
}

async function lookUp(tool: ToolContribution, normalisedArguments: JsonObject, call: ToolCall): Promise<LookupResult> {
  if (tool.lookUp === undefined) return { executed: 'unknown' };
  const lookupResult = await tool.lookUp(tool.input.parse(normalisedArguments), call);
  return lookupResult.executed === true
    ? { executed: true, output: validateOutput(tool, lookupResult.output) }
    : lookupResult;
}
