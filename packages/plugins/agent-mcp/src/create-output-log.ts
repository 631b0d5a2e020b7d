import type { LoggerPort } from '@countersign/core/plugin';
import { toSingleLine } from './escape-hidden-characters.js';

const MAX_LINE_LENGTH = 500;
const MAX_LINES = 20;
const WINDOW_MS = 60_000;

/**
 * Creates a function that logs output of a program: a limited number of lines per minute, without secrets of the
 * program and of this server, even if a secret is split across lines.
 *
 * @param redactLast returns the last of several texts, without secrets
 */
export function createOutputLog(
  server: string,
  redactLast: (texts: readonly string[]) => string,
  log: LoggerPort,
  now: () => number,
): (chunk: string) => void {
  let rest = '';
  let windowStart = now();
  let lineCount = 0;
  const recentLines: string[] = [];
  const logLine = (line: string): void => {
    if (now() - windowStart >= WINDOW_MS) {
      windowStart = now();
      lineCount = 0;
      recentLines.length = 0;
    }
    lineCount += 1;
    if (lineCount > MAX_LINES) return;
    recentLines.push(line);
    log.info(
      { mcpServer: server },
      lineCount === MAX_LINES
        ? 'the MCP server writes more lines than are logged; omitting the rest for now'
        : `output of the MCP server: ${toSingleLine(redactLast(recentLines), MAX_LINE_LENGTH)}`,
    );
  };
  return (chunk) => {
    const lines = `${rest}${chunk}`.split(/\r?\n/);
    // A secret must not be split before it is redacted, and an endless line must not be kept.
    rest = (lines.pop() ?? '').slice(0, 16 * MAX_LINE_LENGTH);
    for (const line of lines) if (line.trim() !== '') logLine(line.slice(0, 16 * MAX_LINE_LENGTH));
  };
}
