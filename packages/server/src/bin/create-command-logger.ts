import type { CoreConfiguration } from '@countersign/core';
import type { Logger } from 'pino';
import { createLogger as createJsonLogger } from '../app/create-logger.js';
import { createPrettyStream } from './pretty-stream.js';

/** Creates the logger of the `countersign` command, which writes to stdout. */
export function createCommandLogger({
  Level,
  Format = process.stdout.isTTY ? 'pretty' : 'json',
}: CoreConfiguration['Log']): Logger {
  return createJsonLogger({
    level: Level,
    ...(Format === 'pretty' ? { destination: createPrettyStream(process.stdout) } : {}),
  });
}
