import pg from 'pg';
import { StartupError } from '@countersign/core/plugin';

/**
 * Reasons and remedies by SQLSTATE or system error code. Error messages are not used, because they are in the language
 * of the server.
 */
const REASONS: Readonly<Record<string, string>> = Object.freeze({
  '28P01': 'it refuses the password. Check the user and the password of the connection string',
  '28000': 'it refuses this user. Check the user of the connection string and pg_hba.conf on the database server',
  '3D000': 'it does not exist. Create the database, or correct its name',
  '53300':
    'the server has no free connections. Raise max_connections on the database server, or lower Storage:Postgres:PoolSize',
  '57P03': 'it is starting up or shutting down. Try again in a moment',
  '42704': 'it does not support a setting that Countersign needs. Use PostgreSQL 14 or newer',
  '08P01':
    'it refuses the options of the connection. A connection pooler in between must forward the startup parameter "options"',
  '42501': 'it denies this user the right to use the database. Grant CONNECT on the database',
  'ECONNREFUSED': 'nothing is listening on this port. Check host and port, and whether PostgreSQL is running',
  'ENOTFOUND': 'the host name is unknown. Check the host of the connection string',
  'EAI_AGAIN':
    'the host name cannot be resolved at the moment. Check the host of the connection string and the DNS server',
  'ETIMEDOUT': 'it does not respond. Check host, port and firewalls',
  'EHOSTUNREACH': 'its host cannot be reached. Check host and network',
  'ENETUNREACH': 'its network cannot be reached. Check host and network',
  'ECONNRESET': 'it closed the connection. Check whether it requires TLS (sslmode)',
  'SELF_SIGNED_CERT_IN_CHAIN':
    'its certificate is signed by an unknown authority. Set sslrootcert in the connection string',
  'DEPTH_ZERO_SELF_SIGNED_CERT': 'its certificate is self-signed. Set sslrootcert in the connection string',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    'its certificate is signed by an unknown authority. Set sslrootcert in the connection string',
  'ERR_TLS_CERT_ALTNAME_INVALID':
    'its certificate is for another host name. Use the host name of the certificate in the connection string',
});

/**
 * Opens one connection.
 *
 * @throws {StartupError} `database_unreachable` if the connection fails; the message has a remedy and no password
 */
export async function connect(options: pg.ClientConfig): Promise<pg.Client> {
  const client = createClient(options);
  // Without a listener, a connection that breaks while it is idle would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw explainConnectionFailure(client, error);
  }
}

function createClient(options: pg.ClientConfig): pg.Client {
  try {
    return new pg.Client(options);
  } catch {
    // Without the cause: the error for an invalid address contains the whole connection string.
    throw unreadableConnectionStringError();
  }
}

function explainConnectionFailure(client: pg.Client, error: unknown): StartupError {
  // An unescaped "/", "#" or "@" in the password shifts the parts of the URL, and any of them may contain a part of the
  // password, so none is shown.
  if (`${client.database ?? ''}${client.host}`.includes('@')) return unreadableConnectionStringError();
  const summary = `The database "${client.database ?? ''}" at ${client.host}:${client.port} (user "${client.user ?? ''}") cannot be used`;
  const code = readErrorCode(error);
  const reason =
    REASONS[code] ??
    (code === '' && isTimeout(error) ? REASONS['ETIMEDOUT'] : `the connection failed (${code || 'no error code'})`);
  return new StartupError('database_unreachable', `${summary}: ${reason}.`, { reason: code });
}

function unreadableConnectionStringError(): StartupError {
  return new StartupError(
    'database_unreachable',
    'Storage:Postgres:ConnectionString is invalid. Expected postgresql://user:password@host:port/database, with special ' +
      'characters in the password percent-encoded (for example %40 for @, %2F for /).',
    { reason: 'invalid_connection_string' },
  );
}

function readErrorCode(error: unknown): string {
  // Connecting to a host with several addresses yields one error per address.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  if (!(first instanceof Error)) return '';
  if ('code' in first && typeof first.code === 'string') return first.code;
  return /SSL|TLS/.test(first.message) ? 'tls_not_supported' : '';
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && /timeout/i.test(error.message);
}
