import type { LoggerPort } from '@countersign/core/plugin';
import type { McpServerConfiguration } from './configuration.js';
import { stderrLog } from './stderr-log.js';

/** What a program writes beside its messages, in the log. That it writes to its standard output is told of once. */
export function programLog(
  { Name }: McpServerConfiguration,
  hide: (texts: readonly string[]) => string,
  { log, now }: { readonly log: LoggerPort; readonly now: () => number },
): { onStderr(chunk: string): void; onNoise(line: string): void } {
  const noise = stderrLog(Name, hide, log, now);
  let isTold = false;
  return {
    onStderr: stderrLog(Name, hide, log, now),
    onNoise: (line) => {
      if (!isTold)
        log.warn(
          { mcpServer: Name },
          'The program of the MCP server writes lines to its standard output that are no messages. They are passed over: let it log to its standard error.',
        );
      isTold = true;
      noise(`${line}\n`);
    },
  };
}
