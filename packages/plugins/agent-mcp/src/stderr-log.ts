import type { LoggerPort, Redactor } from '@countersign/core/plugin';
import { oneLine } from './visible-text.js';

const MAX_LINE = 500;
const MAX_LINES = 20;
const WINDOW_MS = 60_000;
/** Shorter ones are found by chance in texts that have nothing to do with them. */
const SHORTEST_SECRET = 6;

/**
 * What a program writes to its standard error, in the log: some lines a minute, without its secrets and those of the server,
 * also where one is split over lines.
 *
 * @param secrets what it was given
 */
export function stderrLog(
  server: string,
  secrets: readonly string[],
  redactor: Pick<Redactor, 'json'>,
  log: LoggerPort,
  now: () => number,
): (chunk: string) => void {
  const hidden = secrets.filter((secret) => secret.length >= SHORTEST_SECRET).sort((a, b) => b.length - a.length);
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
    const clean = redactor.json([...before]).at(-1) ?? '';
    const shown = hidden.reduce((text, secret) => text.replaceAll(secret, '[secret]'), clean);
    log.info(
      { mcpServer: server },
      written === MAX_LINES
        ? 'The MCP server writes more than is logged.'
        : `The MCP server says: ${oneLine(shown, MAX_LINE)}`,
    );
  };
  return (chunk) => {
    const lines = `${rest}${chunk}`.split(/\r?\n/);
    // A secret must not be cut in two before it is hidden, nor a line be kept that has no end.
    rest = (lines.pop() ?? '').slice(0, 16 * MAX_LINE);
    for (const line of lines) if (line.trim() !== '') tell(line.slice(0, 16 * MAX_LINE));
  };
}
