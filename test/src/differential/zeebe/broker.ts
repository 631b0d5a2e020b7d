import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { ZeebeInstallation } from './installation.js';
import { LOG4J2 } from './log4j2.js';
import { RecordStream } from './record-stream.js';
import { ZeebeClient } from './zeebe-client.js';

const START_TIMEOUT_MS = 90_000;
const STOP_GRACE_MS = 10_000;
const HOST = '127.0.0.1';

/** A real Zeebe broker with one partition, on free ports of this machine, with data of its own. Its clock is set by hand. */
export interface Broker {
  readonly client: ZeebeClient;
  /** All that the broker writes to its log, in order. */
  readonly records: RecordStream;
  stop(): Promise<void>;
}

/** @throws where the broker does not come up. */
export async function startBroker({ directory, javaHome }: ZeebeInstallation): Promise<Broker> {
  const data = await mkdtemp(join(tmpdir(), 'countersign-zeebe-'));
  await writeFile(join(data, 'log4j2.xml'), LOG4J2);
  const [gateway, command, internal, rest, management] = await freePorts(5);
  const child = spawn(join(directory, 'bin', 'broker'), {
    cwd: data,
    // A process group of its own: the script may leave its JVM behind otherwise.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      JAVA_HOME: javaHome,
      JAVA_OPTS: '-Xmx1g -XX:TieredStopAtLevel=1',
      LOGGING_CONFIG: join(data, 'log4j2.xml'),
      SERVER_ADDRESS: HOST,
      SERVER_PORT: String(rest),
      MANAGEMENT_SERVER_ADDRESS: HOST,
      MANAGEMENT_SERVER_PORT: String(management),
      ZEEBE_BROKER_NETWORK_HOST: HOST,
      ZEEBE_BROKER_GATEWAY_NETWORK_PORT: String(gateway),
      ZEEBE_BROKER_NETWORK_COMMANDAPI_PORT: String(command),
      ZEEBE_BROKER_NETWORK_INTERNALAPI_PORT: String(internal),
      ZEEBE_BROKER_DATA_DIRECTORY: join(data, 'data'),
      ZEEBE_CLOCK_CONTROLLED: 'true',
      ZEEBE_BROKER_EXPORTERS_LOG_CLASSNAME: 'io.camunda.zeebe.broker.exporter.debug.DebugLogExporter',
      ZEEBE_BROKER_EXPORTERS_LOG_ARGS_LOGLEVEL: 'info',
    },
  });
  const killAll = (): void => {
    killGroup(child, 'SIGKILL');
    rmSync(data, { recursive: true, force: true });
  };
  process.once('exit', killAll);
  const stop = async (): Promise<void> => {
    await stopChild(child);
    process.removeListener('exit', killAll);
    await rm(data, { recursive: true, force: true });
  };
  const problems: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => problems.push(line));
  const records = new RecordStream(createInterface({ input: child.stdout }));
  const client = new ZeebeClient(`http://${HOST}:${rest}/v2`);
  try {
    await isReady(client, child);
    return { client, records, stop };
  } catch (error) {
    await stop();
    throw new Error(`Zeebe did not start: ${problems.slice(-5).join('\n')}`, { cause: error });
  }
}

async function isReady(client: ZeebeClient, child: ChildProcess): Promise<void> {
  const end = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < end) {
    if (child.exitCode !== null) throw new Error(`The broker has ended with ${child.exitCode}.`);
    if (await client.isReady()) return;
    await delay(100);
  }
  throw new Error(`The broker was not ready within ${START_TIMEOUT_MS} ms.`);
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  killGroup(child, 'SIGTERM');
  const patience = new AbortController();
  await Promise.race([ended, delay(STOP_GRACE_MS, undefined, { signal: patience.signal }).catch(() => undefined)]);
  patience.abort();
  if (child.exitCode !== null || child.signalCode !== null) return;
  killGroup(child, 'SIGKILL');
  await ended;
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It has gone already.
  }
}

/** All are open at once, so that they differ. */
async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, HOST);
      await once(server, 'listening');
      return server;
    }),
  );
  const ports = servers.map((server) => {
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  });
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
