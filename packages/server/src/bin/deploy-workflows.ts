import { EnginePort, type Host } from '@countersign/core';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError } from './cli-error.js';

export interface DeployedFile {
  readonly file: string;
  readonly workflowId: string;
  readonly version: number;
  /** Whether this version is new. */
  readonly created: boolean;
}

const CONTEXT = Object.freeze({
  actor: Object.freeze({ type: 'system', id: 'countersign', name: 'Countersign' } as const),
  from: 'start-up',
  traceId: null,
});

/**
 * Deploys all .bpmn files of the directories, each directory in the order of its file names.
 *
 * @throws {CliError} `model_refused` with every reason in every file; `workflows_unreadable`
 */
export async function deployWorkflows(host: Pick<Host, 'get'>, directories: readonly string[]): Promise<readonly DeployedFile[]> {
  const engine = host.get(EnginePort);
  const deployed: DeployedFile[] = [];
  const refused: string[] = [];
  for (const file of (await Promise.all(directories.map(bpmnFiles))).flat()) {
    try {
      const { alsoDeployed, ...first } = await engine.deploy({ bpmnXml: await readFile(file, 'utf8'), context: CONTEXT });
      for (const { workflow, created } of [first, ...alsoDeployed]) {
        deployed.push({ file, workflowId: workflow.workflowId, version: workflow.version, created });
      }
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refused.push(`\n${file}`, ...error.problems.map(reason));
    }
  }
  if (refused.length > 0) {
    throw new CliError('model_refused', `These workflows can't be executed faithfully:${refused.join('')}`, 'Put them right, or take them out of Workflows:Directory.');
  }
  return deployed;
}

async function bpmnFiles(directory: string): Promise<string[]> {
  try {
    const names = await readdir(directory);
    return names
      .filter((name) => name.toLowerCase().endsWith('.bpmn'))
      .sort()
      .map((name) => join(directory, name));
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unreadable';
    throw new CliError('workflows_unreadable', `The directory of workflows ${directory} can't be read (${code}).`, 'Make it, or set Workflows:Directory to another one.', { cause });
  }
}

interface Refusal {
  readonly problems: readonly { elementId: string | null; message: string; line?: number }[];
}

function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && 'code' in error && error.code === 'model_refused' && 'problems' in error;
}

function reason({ elementId, message, line }: Refusal['problems'][number]): string {
  return `\n  - ${elementId === null ? '' : `"${elementId}": `}${message}${line === undefined ? '' : ` (line ${line})`}`;
}
