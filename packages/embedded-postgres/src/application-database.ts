import pg from 'pg';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { LOOPBACK } from './free-port.js';
import { SUPERUSER } from './initialise-cluster.js';
import { getErrorCode, getErrorMessage } from './node-error.js';
import { deriveApplicationPassword } from './superuser-password.js';

/** Name of the application's role and of its database. */
export const APPLICATION_NAME = 'countersign';

/** SQLSTATE codes for a missing role, a wrong password or a missing database. */
const SETUP_REQUIRED_CODES = new Set(['28P01', '28000', '3D000']);

/**
 * Ensures that the application has a database, and returns its connection string. The owner of the database is not a
 * superuser, so an attacker who obtains its password can neither read the server's files nor run programs. It may
 * create databases, as tests and restores require.
 */
export async function ensureApplicationDatabase(port: number, superuserPassword: string): Promise<string> {
  const connectionString = buildConnectionString(port, APPLICATION_NAME, deriveApplicationPassword(superuserPassword));
  try {
    if (await canConnect(connectionString)) return connectionString;
    await setUpDatabase(port, superuserPassword);
    if (await canConnect(connectionString)) return connectionString;
  } catch (error) {
    throw new EmbeddedPostgresError(
      'embedded_postgres_failed',
      `The embedded PostgreSQL is running, but its database "${APPLICATION_NAME}" could not be set up: ${getErrorMessage(error)}. If the superuser's password was changed, write the new password to the file superuser-password next to the cluster directory.`,
      { cause: error },
    );
  }
  throw new EmbeddedPostgresError(
    'embedded_postgres_failed',
    `The embedded PostgreSQL is running, but rejects the login of its own role "${APPLICATION_NAME}". Check pg_hba.conf in the cluster directory: it must allow scram-sha-256 from ${LOOPBACK}.`,
  );
}

async function canConnect(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch (error) {
    if (SETUP_REQUIRED_CODES.has(getErrorCode(error) ?? '')) return false;
    throw error;
  } finally {
    await client.end();
  }
}

async function setUpDatabase(port: number, superuserPassword: string): Promise<void> {
  const client = new pg.Client({
    connectionString: buildConnectionString(port, SUPERUSER, superuserPassword, 'postgres'),
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const role = client.escapeIdentifier(APPLICATION_NAME);
    const { rowCount: roleCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [APPLICATION_NAME]);
    const password = client.escapeLiteral(deriveApplicationPassword(superuserPassword));
    await client.query(
      `${roleCount === 0 ? 'CREATE' : 'ALTER'} ROLE ${role} LOGIN CREATEDB NOSUPERUSER PASSWORD ${password}`,
    );
    const { rowCount: databaseCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [
      APPLICATION_NAME,
    ]);
    if (databaseCount === 0) await client.query(`CREATE DATABASE ${role} OWNER ${role}`);
    // Only its owner and superusers may connect.
    await client.query(`REVOKE CONNECT ON DATABASE ${role} FROM PUBLIC`);
  } finally {
    await client.end();
  }
}

/** Returns a connection string for this machine. It contains a password and must not be logged. */
export function buildConnectionString(port: number, user: string, password: string, database = user): string {
  return `postgresql://${user}:${encodeURIComponent(password)}@${LOOPBACK}:${port}/${database}`;
}
