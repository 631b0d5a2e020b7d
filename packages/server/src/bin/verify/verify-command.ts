import { InexactNumberError, parseLosslessJson } from '@countersign/model';
import { type EvidenceCheck, verifyEvidence } from '@countersign/model/evidence';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { CliError } from '../cli-error.js';

export interface VerifyOptions {
  readonly json?: boolean;
}

const PROBLEMS_EXIT_CODE = 1;
const USAGE_EXIT_CODE = 2;

/**
 * Checks an evidence pack or an audit trail, without a server or a database. Exit code: 0, or 1 if a check fails.
 *
 * @param file a path, or `-` for standard input
 * @throws {CliError} `number_not_exact` with exit code 1; `file_unreadable` or `not_json` with exit code 2
 */
export async function verify(file: string, { json = false }: VerifyOptions): Promise<void> {
  const check = verifyEvidence(parseEvidence(file, await readEvidence(file)));
  process.stdout.write(json ? `${JSON.stringify(check, null, 2)}\n` : formatReport(file, check));
  if (check.problems.length > 0) process.exitCode = PROBLEMS_EXIT_CODE;
}

async function readEvidence(file: string): Promise<string> {
  try {
    return await (file === '-' ? text(process.stdin) : readFile(file, 'utf8'));
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unreadable';
    throw new CliError(
      'file_unreadable',
      `${file} cannot be read (${code}).`,
      'Pass the path of an evidence pack or audit trail, or - for standard input.',
      { cause, exitCode: USAGE_EXIT_CODE },
    );
  }
}

function parseEvidence(file: string, content: string): unknown {
  try {
    return parseLosslessJson(content);
  } catch (cause) {
    if (cause instanceof InexactNumberError)
      throw new CliError(
        'number_not_exact',
        replaceControlCharacters(`${file} is not valid. At "${cause.problem.pointer}": ${cause.reason}`),
        'Countersign never writes such a number. Download the file again.',
        { cause, exitCode: PROBLEMS_EXIT_CODE },
      );
    throw new CliError('not_json', `${file} is not JSON.`, 'Download the file again.', {
      cause,
      exitCode: USAGE_EXIT_CODE,
    });
  }
}

function formatReport(file: string, { problems, notCovered }: EvidenceCheck): string {
  const lines = problems.map(({ code, pointer, message }) => `${code}  ${pointer === '' ? '/' : pointer}  ${message}`);
  const gapLines = notCovered.map(
    ({ code, events, explanation }) => `Not covered: ${code}, events ${events.join(', ')}. ${explanation}`,
  );
  const summaryLine =
    problems.length === 0
      ? `${file} is valid.`
      : `${file} is not valid: ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}.`;
  return `${[...lines, ...gapLines, summaryLine].map(replaceControlCharacters).join('\n')}\n`;
}

/** Replaces control characters. Pointers and ids come from the file, which must not control the terminal. */
function replaceControlCharacters(line: string): string {
  return line.replace(/\p{C}/gu, '\ufffd');
}
