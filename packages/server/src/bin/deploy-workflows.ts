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

const START_CONTEXT = Object.freeze({
  actor: Object.freeze({ type: 'system', id: 'countersign', name: 'Countersign' } as const),
  from: 'start-up',
  traceId: null,
});

/**
 * Deploys all .dmn and then all .bpmn files of the directories, each directory in the order of its file names. The DMN
 * decisions of a workflow are therefore available when it can be started. Findings of the model checks are logged.
 *
 * @throws {CliError} `model_refused` with all problems of all files; `workflows_unreadable`
 */
export async function deployWorkflows(host: Pick<Host, 'get'>, directories: readonly string[]): Promise<DeployedFiles> {
  const engine = host.get(EnginePort);
  const log = host.get(LoggerPort);
  const files = (await Promise.all(directories.map(listFiles))).flat();
  const refusals: string[] = [];
  const decisions = await deployEach(files, '.dmn', refusals, async (file, dmnXml) => {
    const deployed = await engine.deployDecisions({ dmnXml, context: START_CONTEXT });
    return deployed.decisions.map(({ decisionId, version }) => ({
      file,
      decisionId,
      version,
      created: deployed.created,
    }));
  });
  const workflows = await deployEach(files, '.bpmn', refusals, async (file, bpmnXml) => {
    const { alsoDeployed, warnings, ...mainDeployment } = await engine.deploy({ bpmnXml, context: START_CONTEXT });
    for (const { message, ...warning } of warnings) log.warn({ file, ...warning }, message);
    return [mainDeployment, ...alsoDeployed].map(({ workflow, created }) => ({
      file,
      workflowId: workflow.workflowId,
      version: workflow.version,
      created,
    }));
  });
  if (refusals.length > 0) {
    throw new CliError(
      'model_refused',
      `The engine cannot execute these BPMN or DMN models faithfully:${refusals.join('')}`,
      'Fix them, or remove them from Workflows:Directory.',
    );
  }
  return { decisions, workflows };
}

/** @param refusals receives the problems of the refused files */
async function deployEach<T>(
  files: readonly string[],
  extension: string,
  refusals: string[],
  deploy: (file: string, xml: string) => Promise<T[]>,
): Promise<T[]> {
  const deployed: T[] = [];
  for (const file of files.filter((name) => name.toLowerCase().endsWith(extension))) {
    try {
      deployed.push(...(await deploy(file, await readFile(file, 'utf8'))));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refusals.push(`\n${file}`, ...error.problems.map(formatProblem));
    }
  }
  return deployed;
}

async function listFiles(directory: string): Promise<string[]> {
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

interface ModelRefusal {
  readonly problems: readonly { elementId: string | null; message: string; line?: number }[];
}

function isRefusal(error: unknown): error is ModelRefusal {
  return error instanceof Error && 'code' in error && error.code === 'model_refused' && 'problems' in error;
}

function formatProblem({ elementId, message, line }: ModelRefusal['problems'][number]): string {
  return `\n  - ${elementId === null ? '' : `"${elementId}": `}${message}${line === undefined ? '' : ` (line ${line})`}`;
}
