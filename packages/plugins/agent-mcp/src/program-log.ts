import type { LoggerPort } from '@countersign/core/plugin';
import type { McpServerConfiguration } from './configuration.js';
import { stderrLog } from './stderr-log.js';

const MAX_LAST = 4_096;

/**
 * Logs the output of a program outside of messages. Warns once about lines on its standard output.
 *
 * @returns the handlers, and a function for the last line of the standard error, which best explains an unexpected end
 */
export function programLog(
  { Name }: McpServerConfiguration,
  hide: (texts: readonly string[]) => string,
  { log, now }: { readonly log: LoggerPort; readonly now: () => number },
): { onStderr(chunk: string): void; onNoise(line: string): void; lastLine(): string } {
  const noise = stderrLog(Name, hide, log, now);
  const errors = stderrLog(Name, hide, log, now);
  let hasWarned = false;
  let last = '';
  let isCut = false;
  return {
    lastLine: () => {
      // A line whose beginning was cut off may start within a secret.
      const lines = `${isCut ? '' : '\n'}${last.trimEnd()}`.split('\n');
      return lines.length > 1 ? (lines.at(-1)?.trim() ?? '') : '';
    },
    onStderr: (chunk) => {
      const all = `${last}${chunk}`;
      isCut ||= all.length > MAX_LAST;
      last = all.slice(-MAX_LAST);
      errors(chunk);
    },
    onNoise: (line) => {
      if (!hasWarned)
        log.warn(
          { mcpServer: Name },
          'ignoring lines that the program of the MCP server writes to its standard output and that are not messages: configure the program to log to its standard error',
        );
      hasWarned = true;
      noise(`${line}\n`);
    },
  };
}
