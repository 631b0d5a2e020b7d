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
  pointerOfPath,
  sha256Hex,
} from '@countersign/model';

const MAX_PROBLEMS = 10;

/** Converts a contributed tool to the tool interface of the runtime. */
export function contributedTool(tool: ToolContribution): AgentTool {
  const { name, description, effect, reversible, unknownOutcome } = tool;
  const inputSchema = schemaOf(tool.input);
  const facts = { name, description, inputSchema, effect, reversible, unknownOutcome };
  // The arguments were validated before. If they no longer fit, they were changed in between.
  const input = (normalised: JsonObject) => tool.input.parse(normalised);
  return {
    ...facts,
    digest: `sha256:${sha256Hex(canonicalJson(facts))}`,
    parse: (given) => parse(tool, given),
    hosts: (normalised) => tool.hosts?.(input(normalised)) ?? [],
    artifacts: (normalised) => tool.artifacts?.(input(normalised)) ?? [],
    call: async (normalised, call) => checked(tool, await tool.call(input(normalised), call)),
    lookUp: (normalised, call) => lookUp(tool, normalised, call),
  };
}

/** Returns the JSON Schema of the input of a schema, before defaults are applied. */
export function schemaOf(schema: z.ZodType): JsonObject {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return JSON.parse(JSON.stringify(rest)) as JsonObject;
}

/** Returns the problems, each with its JSON Pointer (RFC 6901). Messages contain no values. */
export function problemsOf(error: z.ZodError): string[] {
  return error.issues.slice(0, MAX_PROBLEMS).map(({ path, message }) => {
    const pointer = pointerOfPath(path);
    return pointer === '' ? message : `At ${pointer}: ${message}`;
  });
}

function parse({ input }: ToolContribution, given: Json): ReturnType<AgentTool['parse']> {
  const parsed = input.safeParse(given);
  if (!parsed.success) return { problems: problemsOf(parsed.error) };
  // Drops members that are undefined, because the arguments are recorded and displayed as JSON.
  const normalised = JSON.parse(JSON.stringify(parsed.data)) as Json;
  if (!isJsonObject(normalised)) return { problems: ['Expected an object.'] };
  const problem = findJsonProblem(normalised);
  return problem === undefined
    ? { arguments: normalised }
    : { problems: [`At ${problem.pointer}: ${problem.message}`] };
}

function checked({ name, output }: ToolContribution, given: ToolOutput<unknown>): ToolOutput {
  const parsed = output.safeParse(given.content);
  if (parsed.success) return { ...given, content: parsed.data as Json };
  throw new ToolError(
    'tool_output_invalid',
    `The call was executed, but ${name} returned an invalid result: ${problemsOf(parsed.error).join(' ')}`,
  );
}

async function lookUp(tool: ToolContribution, normalised: JsonObject, call: ToolCall): Promise<LookupResult> {
  if (tool.lookUp === undefined) return { made: 'unknown' };
  const found = await tool.lookUp(tool.input.parse(normalised), call);
  return found.made === true ? { made: true, output: checked(tool, found.output) } : found;
}
