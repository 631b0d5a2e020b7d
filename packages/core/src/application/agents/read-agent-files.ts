import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalJson, sha256Hex } from '@countersign/model';
import type { AvailableAgent } from '../../ports/agent-catalogue.js';
import type { DefaultModel } from './agent-settings.js';
import { parseAgentFile, type LineLookup } from './parse-agent-file.js';

const MAX_AGENT_FILE_BYTES = 1_048_576;

export interface AgentFile extends AvailableAgent {
  readonly file: string;
  readonly findLine: LineLookup;
}

export interface AgentFiles {
  readonly agents: readonly AgentFile[];
  readonly problems: readonly AgentProblem[];
}

/** Problem that prevents the use of agents. */
export interface AgentProblem {
  readonly code:
    | 'agent_file_unreadable'
    | 'agent_file_invalid'
    | 'agent_name_taken'
    | 'agent_provider_unknown'
    | 'agent_tool_unknown'
    | 'agent_price_unknown'
    | 'duplicate_tool'
    | 'duplicate_model_provider';
  readonly message: string;
}

/**
 * Reads the `*.yaml` and `*.yml` files of each directory in name order. Collects all problems instead of stopping at
 * the first.
 */
export async function readAgentFiles(directories: readonly string[], defaultModel?: DefaultModel): Promise<AgentFiles> {
  const agents: AgentFile[] = [];
  const problems: AgentProblem[] = [];
  for (const directory of directories) {
    for (const file of await listAgentFiles(directory, problems))
      await readAgentFile(file, defaultModel, agents, problems);
  }
  return { agents, problems };
}

async function listAgentFiles(directory: string, problems: AgentProblem[]): Promise<string[]> {
  try {
    return (await readdir(directory))
      .filter((name) => /\.ya?ml$/i.test(name))
      .sort()
      .map((name) => join(directory, name));
  } catch (error) {
    problems.push({
      code: 'agent_file_unreadable',
      message: `The directory ${directory} of Agents:Directory cannot be read: ${describeReadError(error)}.`,
    });
    return [];
  }
}

async function readAgentFile(
  file: string,
  defaultModel: DefaultModel | undefined,
  agents: AgentFile[],
  problems: AgentProblem[],
): Promise<void> {
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch (error) {
    problems.push({ code: 'agent_file_unreadable', message: `${file} cannot be read: ${describeReadError(error)}.` });
    return;
  }
  if (bytes.length > MAX_AGENT_FILE_BYTES) {
    problems.push({ code: 'agent_file_invalid', message: `${file} is larger than ${MAX_AGENT_FILE_BYTES} bytes.` });
    return;
  }
  const parsed = parseAgentFile(file, bytes.toString('utf8'), defaultModel);
  if ('problems' in parsed) {
    problems.push(...parsed.problems.map((message): AgentProblem => ({ code: 'agent_file_invalid', message })));
    return;
  }
  const { definition, findLine } = parsed;
  const existing = agents.find((agent) => agent.definition.name === definition.name);
  if (existing === undefined)
    agents.push({ definition, digest: `sha256:${sha256Hex(canonicalJson(definition))}`, file, findLine });
  else
    problems.push({
      code: 'agent_name_taken',
      message: `${file}:${findLine(['name'])}: /name: the agent "${definition.name}" is already defined in ${existing.file}:${existing.findLine(['name'])}.`,
    });
}

function describeReadError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return code === 'ENOENT' ? 'there is no such directory or file' : code;
}
