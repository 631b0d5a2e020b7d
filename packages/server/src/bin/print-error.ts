import { isHostStartError } from '@countersign/core';
import { inspect } from 'node:util';
import { CliError } from './cli-error.js';

/** An error for people: code, what is wrong, what to do. A stack only where it was asked for. */
export function describeError(error: unknown, verbose: boolean): string {
  const known = isCoded(error);
  const { code, message } = onlyProblem(error) ?? {
    code: known ? error.code : 'internal_error',
    message: error instanceof Error ? error.message : String(error),
  };
  const remedy =
    error instanceof CliError
      ? error.remedy
      : known
        ? ''
        : 'This should not have happened. Run the command again with --verbose to see where it did.';
  const lines = [
    `error ${code}: ${message}`,
    ...(remedy === '' ? [] : [remedy]),
    ...(verbose ? [inspect(error, { depth: 4 })] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** What the command ends with. */
export function exitCodeOf(error: unknown): number {
  return error instanceof CliError ? error.exitCode : 1;
}

/** A report with one line is that line. */
function onlyProblem(error: unknown): { code: string; message: string } | undefined {
  return isHostStartError(error) && error.problems.length === 1 ? error.problems[0] : undefined;
}

/** Whether an error has a stable code of ours; those of Node.js are in capitals. */
function isCoded(error: unknown): error is Error & { code: string } {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^(?:[a-z][a-z0-9-]*\/)?[a-z][a-z0-9_]*$/.test(error.code)
  );
}
