import type { LoggerPort } from '@countersign/core/plugin';
import type { McpServerConfiguration } from './configuration.js';
import { Connection, type ConnectionDependencies } from './connection.js';
import { ProgramExitError } from './program-errors.js';
import type { ProtocolEra } from './protocol-era.js';
import { createProgramLog } from './program-log.js';
import { quote, errorMessage } from './error-message.js';
import { toSingleLine } from './escape-hidden-characters.js';

/** Information about a server from its last connection. */
export interface KnownServer {
  era?: ProtocolEra | undefined;
}

export interface ConnectionOptions {
  readonly known: KnownServer;
  /** Returns the last of several texts, without secrets. */
  redactLast(texts: readonly string[]): string;
  readonly signal: AbortSignal;
  /**
   * Called when the connection has ended unexpectedly.
   *
   * @param durationMs how long the connection lasted, in milliseconds
   */
  onClose(connection: Connection, error: Error, durationMs: number): void;
  onToolsChanged(): void;
}

/**
 * Connects to a server, logs the output of its program other than MCP messages, and reports the end of the connection.
 */
export async function connectToServer(
  server: McpServerConfiguration,
  dependencies: ConnectionDependencies & { readonly log: LoggerPort },
  { known, redactLast, signal, onClose, onToolsChanged }: ConnectionOptions,
): Promise<Connection> {
  const { log, now } = dependencies;
  const { lastLine, onStderr, onNoise } = createProgramLog(server, redactLast, dependencies);
  const openedAt = now();
  const withLastLine = (text: string): string =>
    lastLine() === '' ? text : `${text} Its last output: ${quote(lastLine())}`;
  let connection: Connection | undefined;
  const events = {
    onClose: () => {
      if (connection === undefined) return;
      const { termination, exit } = connection;
      const reason = exit === undefined ? 'The connection was closed.' : withLastLine(exit);
      onClose(connection, termination ?? new Error(reason), now() - openedAt);
    },
    onToolsChanged,
    onError: (error: Error) =>
      log.debug(
        { mcpServer: server.Name },
        `error of the MCP server connection: ${toSingleLine(redactLast([errorMessage(error)]))}`,
      ),
    onStderr,
    onNoise,
  };
  try {
    connection = await Connection.open(server, dependencies, events, signal, known.era);
    known.era = connection.era;
    return connection;
  } catch (error) {
    // The server may have been replaced by another one.
    known.era = undefined;
    throw error instanceof ProgramExitError ? new Error(withLastLine(error.message), { cause: error }) : error;
  }
}
