import { isHostStartError } from '@countersign/core';
import { inspect } from 'node:util';
import { CliError } from './cli-error.js';

/** Formats an error for the terminal: code, message and remedy. A stack is included only if `verbose`. */
export function describeError(error: unknown, verbose: boolean): string {
  const hasCode = hasStableCode(error);
  const { code, message } = getSingleProblem(error) ?? {
    code: hasCode ? error.code : 'internal_error',
    message: error instanceof Error ? error.message : String(error),
  };
  const remedy =
    error instanceof CliError
      ? error.remedy
      : hasCode
        ? ''
        : 'This error is unexpected. Run the command again with --verbose to see where it occurred.';
  const lines = [
    `error ${code}: ${message}`,
    ...(remedy === '' ? [] : [remedy]),
    ...(verbose ? [inspect(error, { depth: 4 })] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** Returns the exit code of the command for an error. */
export function getExitCode(error: unknown): number {
  return error instanceof CliError ? error.exitCode : 1;
}

/** Returns the problem of a start report that has exactly one. */
function getSingleProblem(error: unknown): { code: string; message: string } | undefined {
  return isHostStartError(error) && error.problems.length === 1 ? error.problems[0] : undefined;
}

/** Returns whether an error has one of our stable codes; codes of Node.js are in capitals. */
function hasStableCode(error: unknown): error is Error & { code: string } {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^(?:[a-z][a-z0-9-]*\/)?[a-z][a-z0-9_]*$/.test(error.code)
  );
}
