const MB = 1024 * 1024;
const MIN_BUFFERS_MB = 128;
const MAX_BUFFERS_MB = 1_024;

/**
 * Returns the size of PostgreSQL's cache: a sixteenth of the memory (the manual advises a quarter on a dedicated
 * machine). While the working set fits into the cache, a page is written to disk once per checkpoint and not on every
 * eviction.
 */
function getSharedBuffers(memory: number): string {
  const megabytes = Math.floor(memory / 16 / MB);
  return `${Math.min(MAX_BUFFERS_MB, Math.max(MIN_BUFFERS_MB, megabytes))}MB`;
}

/**
 * Returns the settings of the embedded server, for a small machine that also runs other programs. They are written at
 * each start, so that an update of Countersign also changes existing clusters. `ALTER SYSTEM` takes precedence, because
 * PostgreSQL reads `postgresql.auto.conf` after them.
 */
const getSettings = (memory: number): readonly (readonly [name: string, value: string, reason: string])[] => [
  ['fsync', 'on', 'acknowledged commits survive a power failure'],
  ['synchronous_commit', 'on', 'a response is sent after the commit is on disk'],
  ['full_page_writes', 'on', 'a page that was only half written before a power failure is repaired from the log'],
  ['max_connections', '100', 'several servers, tests and psql at the same time; each idle slot costs only a few kB'],
  [
    'shared_buffers',
    getSharedBuffers(memory),
    'caches the hot tables and indexes; a sixteenth of the memory, allocated only when used',
  ],
  ['effective_cache_size', '1GB', 'an estimate for the planner: the system caches the rest'],
  ['work_mem', '8MB', 'list queries and job claims sort little data; 100 simultaneous connections must fit in memory'],
  ['max_wal_size', '1GB', 'few checkpoints under load, but bounded disk use and recovery within seconds'],
  ['min_wal_size', '64MB', 'an idle installation stays small'],
  ['random_page_cost', '1.1', 'on solid-state disks, an index is worth its random reads'],
  [
    'max_parallel_workers_per_gather',
    '0',
    'short queries gain nothing, and parallel ones need /dev/shm, which containers limit to 64 MB',
  ],
  ['jit', 'off', 'compiling takes longer than running these statements'],
  ['timezone', "'UTC'", 'times are displayed alike on every machine'],
  ['log_timezone', "'UTC'", 'times are logged alike on every machine'],
  // In log_min_messages, LOG is above ERROR. Clients report failed statements themselves; in the log, the details
  // of these errors ("Key (name)=(…) already exists") would expose personal data.
  ['log_min_messages', 'log', 'start, stop, recovery and fatal errors, but not failed statements'],
  ['log_min_error_statement', 'panic', 'no statements, hence no data, in the log'],
  ['log_checkpoints', 'off', 'the log stays small'],
  ['log_statement', "'none'", 'no statements, hence no passwords, in the log'],
  ['logging_collector', 'off', 'the log goes to a file that Countersign keeps small'],
  ['cluster_name', "'countersign'", 'shown by ps'],
];

/** Name of the settings file, which the cluster's `postgresql.conf` includes. */
export const SETTINGS_FILE = 'countersign.conf';

/** @param memory memory of this machine, or of this container, in bytes */
export function buildSettingsFile(memory: number): string {
  const lines = getSettings(memory).map(([name, value, reason]) => `${name} = ${value}  # ${reason}`);
  return ['# Written by Countersign at each start. To change a setting, use ALTER SYSTEM.', ...lines, ''].join('\n');
}

/**
 * Returns the port and the listen address as command-line arguments, which no settings file can override. The server
 * listens only on the loopback address. It has no Unix socket: the path of a socket may have at most 107 bytes, which
 * the path of a data directory easily exceeds, and cleanup jobs remove sockets in /tmp. TCP works the same way on every
 * system, and the loopback interface adds little cost.
 */
export function buildListenArguments(port: number): string[] {
  return ['-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='];
}
