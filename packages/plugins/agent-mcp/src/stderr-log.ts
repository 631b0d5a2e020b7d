import type { LoggerPort } from '@countersign/core/plugin';
import { oneLine } from './visible-text.js';

const MAX_LINE = 500;
const MAX_LINES = 20;
const WINDOW_MS = 60_000;

/**
 * Logs the standard error of a program: a limited number of lines a minute, without its secrets and those of the
 * server, even if a secret is split over lines.
 *
 * @param hide returns the last of several texts, without secrets
 */
export function stderrLog(
  server: string,
  hide: (texts: readonly string[]) => string,
  log: LoggerPort,
  now: () => number,
): (chunk: string) => void {
  let rest = '';
  let since = now();
  let written = 0;
  const before: string[] = [];
  const tell = (line: string): void => {
    if (now() - since >= WINDOW_MS) {
      since = now();
      written = 0;
      before.length = 0;
    }
    written += 1;
    if (written > MAX_LINES) return;
    before.push(line);
    log.info(
      { mcpServer: server },
      written === MAX_LINES
        ? 'the MCP server writes more lines than are logged; omitting the rest for now'
        : `output of the MCP server: ${oneLine(hide(before), MAX_LINE)}`,
    );
  };
  return (chunk) => {
    const lines = `${rest}${chunk}`.split(/\r?\n/);
    // A secret must not be cut in two before it is hidden, and an endless line must not be kept.
    rest = (lines.pop() ?? '').slice(0, 16 * MAX_LINE);
    for (const line of lines) if (line.trim() !== '') tell(line.slice(0, 16 * MAX_LINE));
  };
}
