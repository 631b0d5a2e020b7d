import type { LoggerPort } from '@countersign/core/plugin';
import type { McpServerConfiguration } from './configuration.js';
import { createOutputLog } from './create-output-log.js';

const MAX_TAIL_LENGTH = 4_096;

/**
 * Creates handlers that log the standard error of a program, and the lines of its standard output that are not
 * messages. Warns once about such lines.
 *
 * @returns the handlers, and a function that returns the last line of the standard error, which best explains an
 *   unexpected end
 */
export function createProgramLog(
  { Name }: McpServerConfiguration,
  redactLast: (texts: readonly string[]) => string,
  { log, now }: { readonly log: LoggerPort; readonly now: () => number },
): { onStderr(chunk: string): void; onNoise(line: string): void; lastLine(): string } {
  const logNoise = createOutputLog(Name, redactLast, log, now);
  const logStderr = createOutputLog(Name, redactLast, log, now);
  let hasWarned = false;
  let tail = '';
  let isTailCut = false;
  return {
    lastLine: () => {
      // A line whose beginning was cut off may start within a secret.
      const lines = `${isTailCut ? '' : '\n'}${tail.trimEnd()}`.split('\n');
      return lines.length > 1 ? (lines.at(-1)?.trim() ?? '') : '';
    },
    onStderr: (chunk) => {
      const all = `${tail}${chunk}`;
      isTailCut ||= all.length > MAX_TAIL_LENGTH;
      tail = all.slice(-MAX_TAIL_LENGTH);
      logStderr(chunk);
    },
    onNoise: (line) => {
      if (!hasWarned)
        log.warn(
          { mcpServer: Name },
          'ignoring lines that the program of the MCP server writes to its standard output and that are not messages: configure the program to log to its standard error',
        );
      hasWarned = true;
      logNoise(`${line}\n`);
    },
  };
}
