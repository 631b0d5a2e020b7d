import type { CoreConfiguration, LoggerPort } from '@countersign/core';
import { createLogger as createJsonLogger } from '../app/create-logger.js';
import { prettyStream } from './pretty-stream.js';

/** The log of the command, on stdout. */
export function createLogger({ Level, Format = process.stdout.isTTY ? 'pretty' : 'json' }: CoreConfiguration['Log']): LoggerPort {
  return createJsonLogger({ level: Level, ...(Format === 'pretty' ? { destination: prettyStream(process.stdout) } : {}) });
}
