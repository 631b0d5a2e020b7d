import { EnginePort, LoggerPort, type Host } from '@countersign/core';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError } from './cli-error.js';

interface DeployedVersion {
  readonly file: string;
  readonly version: number;
  /** Whether this version is new. */
  readonly created: boolean;
}

/** The deployed versions of the files in the directories. */
export interface DeployedFiles {
  readonly decisions: readonly (DeployedVersion & { readonly decisionId: string })[];
  readonly workflows: readonly (DeployedVersion & { readonly workflowId: string })[];
}

const CONTEXT = Object.freeze({
  actor: Object.freeze({ type: 'system', id: 'countersign', name: 'Countersign' } as const),
  from: 'start-up',
  traceId: null,
});

/**
 * Deploys all .dmn and then all .bpmn files of the directories, each directory in the order of its file names. The DMN
 * decisions of a workflow are therefore available when it can be started. Findings of the model checks are logged.
 *
 * @throws {CliError} `model_refused` with every reason in every file; `workflows_unreadable`
 */
export async function deployWorkflows(host: Pick<Host, 'get'>, directories: readonly string[]): Promise<DeployedFiles> {
  const engine = host.get(EnginePort);
  const log = host.get(LoggerPort);
  const files = (await Promise.all(directories.map(filesOf))).flat();
  const refused: string[] = [];
  const decisions = await deployEach(files, '.dmn', refused, async (file, dmnXml) => {
    const deployed = await engine.deployDecisions({ dmnXml, context: CONTEXT });
    return deployed.decisions.map(({ decisionId, version }) => ({
      file,
      decisionId,
      version,
      created: deployed.created,
    }));
  });
  const workflows = await deployEach(files, '.bpmn', refused, async (file, bpmnXml) => {
    const { alsoDeployed, warnings, ...first } = await engine.deploy({ bpmnXml, context: CONTEXT });
    for (const { message, ...warning } of warnings) log.warn({ file, ...warning }, message);
    return [first, ...alsoDeployed].map(({ workflow, created }) => ({
      file,
      workflowId: workflow.workflowId,
      version: workflow.version,
      created,
    }));
  });
  if (refused.length > 0) {
    throw new CliError(
      'model_refused',
      `The engine cannot execute these BPMN or DMN models faithfully:${refused.join('')}`,
      'Fix them, or remove them from Workflows:Directory.',
    );
  }
  return { decisions, workflows };
}

/** @param refused receives the problems of the refused files */
async function deployEach<T>(
  files: readonly string[],
  extension: string,
  refused: string[],
  deploy: (file: string, xml: string) => Promise<T[]>,
): Promise<T[]> {
  const deployed: T[] = [];
  for (const file of files.filter((name) => name.toLowerCase().endsWith(extension))) {
    try {
      deployed.push(...(await deploy(file, await readFile(file, 'utf8'))));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refused.push(`\n${file}`, ...error.problems.map(reason));
    }
  }
  return deployed;
}

async function filesOf(directory: string): Promise<string[]> {
  try {
    const names = await readdir(directory);
    return names.sort().map((name) => join(directory, name));
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unreadable';
    throw new CliError(
      'workflows_unreadable',
      `The workflow directory ${directory} cannot be read (${code}).`,
      'Create it, or set Workflows:Directory to another directory.',
      { cause },
    );
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
