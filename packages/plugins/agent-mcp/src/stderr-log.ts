import type { LoggerPort } from '@countersign/core/plugin';
import { oneLine } from './visible-text.js';

const MOST_LINE = 500;
const MOST_LINES = 20;
const WINDOW_MS = 60_000;
/** Shorter ones are found by chance in texts that have nothing to do with them. */
const SHORTEST_SECRET = 6;

/**
 * What a program writes to its standard error, in the log: some lines a minute, without its secrets.
 *
 * @param secrets what it was given
 */
export function stderrLog(
  server: string,
  secrets: readonly string[],
  log: LoggerPort,
  now: () => number,
): (chunk: string) => void {
  const hidden = secrets.filter((secret) => secret.length >= SHORTEST_SECRET).sort((a, b) => b.length - a.length);
  let rest = '';
  let since = now();
  let told = 0;
  const tell = (line: string): void => {
    if (now() - since >= WINDOW_MS) {
      since = now();
      told = 0;
    }
    told += 1;
    if (told > MOST_LINES) return;
    const shown = hidden.reduce((text, secret) => text.replaceAll(secret, '[secret]'), line);
    log.info(
      { mcpServer: server },
      told === MOST_LINES
        ? 'The MCP server writes more than is logged.'
        : `The MCP server says: ${oneLine(shown, MOST_LINE)}`,
    );
  };
  return (chunk) => {
    const lines = `${rest}${chunk}`.split(/\r?\n/);
    // A secret must not be cut in two before it is hidden, nor a line be kept that has no end.
    rest = (lines.pop() ?? '').slice(0, 16 * MOST_LINE);
    for (const line of lines) if (line.trim() !== '') tell(line.slice(0, 16 * MOST_LINE));
  };
}
