import { cpus, loadavg, release, totalmem, type as system } from 'node:os';
import pg from 'pg';

/** What the figures come from. Without names: they are published. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGB: number;
  readonly system: string;
  readonly node: string;
  readonly postgres: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Average over the last minute, before the first benchmark. */
  readonly load: number;
  readonly measuredAt: string;
}

const SETTINGS = ['fsync', 'synchronous_commit', 'full_page_writes', 'shared_buffers', 'max_wal_size'];

export async function describeMachine(connectionString: string): Promise<Machine> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const settings = await client.query<{ name: string; setting: string }>('SELECT name, current_setting(name) AS setting FROM pg_settings WHERE name = ANY($1)', [SETTINGS]);
    const version = await client.query<{ server_version: string }>('SHOW server_version');
    return {
      cpu: cpus()[0]?.model ?? 'unknown',
      cores: cpus().length,
      memoryGB: Math.round(totalmem() / 2 ** 30),
      system: `${system()} ${release()}`,
      node: process.versions.node,
      postgres: version.rows[0]?.server_version ?? 'unknown',
      settings: Object.fromEntries(settings.rows.map(({ name, setting }) => [name, setting])),
      load: loadavg()[0] ?? 0,
      measuredAt: new Date().toISOString(),
    };
  } finally {
    await client.end();
  }
}

export function formatMachine(machine: Machine): string {
  const { cpu, cores, memoryGB, node, postgres, settings, load, measuredAt } = machine;
  const set = Object.entries(settings).map(([name, value]) => `${name} ${value}`);
  return [
    `${cpu}, ${cores} cores, ${memoryGB} GB, ${machine.system}`,
    `Node.js ${node}, PostgreSQL ${postgres} (${set.join(', ')})`,
    `${measuredAt}, load before ${load.toFixed(2)}`,
  ].join('\n');
}
