import { readFile } from 'node:fs/promises';
import { formatJson, formatText, summarizeFindings } from './format-findings.js';
import { lintFiles, type ModelFile } from './lint-files.js';

export interface LintOptions {
  readonly json?: boolean;
  readonly maxWarnings?: number;
}

const FINDINGS_EXIT_CODE = 1;
const USAGE_EXIT_CODE = 2;

/**
 * Checks model files without a server or a database. Exit code: 0, or 1 if there are errors (or more warnings than
 * allowed).
 *
 * @throws {CliError} `file_unreadable`, with exit code 2
 */
export async function lint(
  paths: readonly string[],
  { json = false, maxWarnings = Infinity }: LintOptions,
): Promise<void> {
  const files: ModelFile[] = [];
  for (const file of new Set(paths)) files.push({ file, bytes: await readModelFile(file) });
  const findings = await lintFiles(files, Date.now());
  const summary = summarizeFindings(findings, files.length);
  process.stdout.write(json ? formatJson(findings, summary) : formatText(findings, summary));
  if (summary.errors > 0 || summary.warnings > maxWarnings) process.exitCode = FINDINGS_EXIT_CODE;
}

async function readModelFile(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unreadable';
    const { CliError } = await import('../cli-error.js');
    throw new CliError(
      'file_unreadable',
      `${file} cannot be read (${code}).`,
      'Specify readable BPMN or DMN files (.bpmn, .dmn).',
      {
        cause,
        exitCode: USAGE_EXIT_CODE,
      },
    );
  }
}
