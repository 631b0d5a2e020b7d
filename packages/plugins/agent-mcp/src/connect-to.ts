import type { LoggerPort } from '@countersign/core/plugin';
import type { McpServerConfiguration } from './configuration.js';
import { Connection, type ConnectionWays } from './connection.js';
import { ProgramExit } from './program-ended.js';
import type { ProtocolEra } from './protocol-era.js';
import { programLog } from './program-log.js';
import { quoted, said } from './said.js';
import { oneLine } from './visible-text.js';

/** The facts known about a server from its last connection. */
export interface KnownServer {
  era?: ProtocolEra | undefined;
}

export interface ConnectionUser {
  readonly known: KnownServer;
  /** Returns the last of several texts, without secrets. */
  hide(texts: readonly string[]): string;
  readonly signal: AbortSignal;
  /**
   * Called when the connection has ended unexpectedly.
   *
   * @param heldMs how long the connection lasted, in milliseconds
   */
  onClose(connection: Connection, error: Error, heldMs: number): void;
  onToolsChanged(): void;
}

/** Connects to a server, logs the output of its program outside of messages, and reports the end of the connection. */
export async function connectTo(
  server: McpServerConfiguration,
  parts: ConnectionWays & { readonly log: LoggerPort },
  { known, hide, signal, onClose, onToolsChanged }: ConnectionUser,
): Promise<Connection> {
  const { log, now } = parts;
  const { lastLine, onStderr, onNoise } = programLog(server, hide, parts);
  const openedAt = now();
  const withLastLine = (text: string): string =>
    lastLine() === '' ? text : `${text} Its last output: ${quoted(lastLine())}`;
  let connection: Connection | undefined;
  const events = {
    onClose: () => {
      if (connection === undefined) return;
      const { ended, exit } = connection;
      const reason = exit === undefined ? 'The connection was closed.' : withLastLine(exit);
      onClose(connection, ended ?? new Error(reason), now() - openedAt);
    },
    onToolsChanged,
    onError: (error: Error) =>
      log.debug({ mcpServer: server.Name }, `error of the MCP server connection: ${oneLine(hide([said(error)]))}`),
    onStderr,
    onNoise,
  };
  try {
    connection = await Connection.open(server, parts, events, signal, known.era);
    known.era = connection.era;
    return connection;
  } catch (error) {
    // The server may have been replaced by another one.
    known.era = undefined;
    throw error instanceof ProgramExit ? new Error(withLastLine(error.message), { cause: error }) : error;
  }
}
