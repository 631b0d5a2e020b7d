import type { LoggerPort } from '@countersign/core/plugin';
import type { McpServerConfiguration } from './configuration.js';
import { createStderrLog } from './stderr-log.js';

const MAX_TAIL_LENGTH = 4_096;

/**
 * Logs the output of a program outside of messages. Warns once about lines on its standard output.
 *
 * @returns the handlers, and a function for the last line of the standard error, which best explains an unexpected end
 */
export function createProgramLog(
  { Name }: McpServerConfiguration,
  hide: (texts: readonly string[]) => string,
  { log, now }: { readonly log: LoggerPort; readonly now: () => number },
): { onStderr(chunk: string): void; onNoise(line: string): void; lastLine(): string } {
  const logNoise = createStderrLog(Name, hide, log, now);
  const logStderr = createStderrLog(Name, hide, log, now);
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
