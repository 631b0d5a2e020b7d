import { cpus, loadavg, release, totalmem, type as systemType } from 'node:os';
import pg from 'pg';

interface Postgres {
  readonly version: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** Machine that produced the figures. Does not contain its name, because the figures are published. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly system: string;
  readonly node: string;
  readonly postgres: Postgres | null;
  /** Load average of the last minute before the benchmark. */
  readonly load: number;
  readonly measuredAt: string;
}

const REPORTED_SETTINGS = ['fsync', 'synchronous_commit', 'full_page_writes', 'shared_buffers', 'max_wal_size'];

/** @param connectionString connection string of the database, if the benchmark uses one */
export async function describeMachine(connectionString?: string): Promise<Machine> {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${systemType()} ${release()}`,
    node: process.versions.node,
    postgres: connectionString === undefined ? null : await describePostgres(connectionString),
    load: loadavg()[0] ?? 0,
    measuredAt: new Date().toISOString(),
  };
}

async function describePostgres(connectionString: string): Promise<Postgres> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const settings = await client.query<{ name: string; setting: string }>(
      'SELECT name, current_setting(name) AS setting FROM pg_settings WHERE name = ANY($1)',
      [REPORTED_SETTINGS],
    );
    const version = await client.query<{ server_version: string }>('SHOW server_version');
    return {
      version: version.rows[0]?.server_version ?? 'unknown',
      settings: Object.fromEntries(settings.rows.map(({ name, setting }) => [name, setting])),
    };
  } finally {
    await client.end();
  }
}

export function formatMachine({ cpu, cores, memoryGiB, system, node, postgres, load, measuredAt }: Machine): string {
  return [
    `${cpu}, ${cores} cores, ${memoryGiB} GiB, ${system}`,
    `Node.js ${node}${postgres === null ? '' : `, ${formatPostgres(postgres)}`}`,
    `${measuredAt}, load before ${load.toFixed(2)}`,
  ].join('\n');
}

function formatPostgres({ version, settings }: Postgres): string {
  return `PostgreSQL ${version} (${Object.entries(settings)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')})`;
}
