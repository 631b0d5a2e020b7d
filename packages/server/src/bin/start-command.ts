import { CoreConfiguration, LoggerPort, startHost, type ConfigurationLayers, type Host } from '@countersign/core';
import { resolve } from 'node:path';
import { createLogger } from '../app/create-logger.js';
import { createServer } from '../app/index.js';
import { SERVER_VERSION } from '../app/version.js';
import { banner } from './banner.js';
import { checkPort, explainListenError } from './check-port.js';
import { composeHost } from './compose-host.js';
import { layersOf, type ConfigurationOptions } from './configuration-options.js';
import { deployWorkflows, type DeployedFiles } from './deploy-workflows.js';
import { withDevelopmentDefaults } from './development.js';
import { writeServerFile } from './server-file.js';
import { StopLimit } from './stop-limit.js';
import { onTermination, type Termination } from './termination.js';

export interface StartOptions extends ConfigurationOptions {
  readonly development?: boolean;
}

/** Time for requests and jobs to finish when the server stops. */
const GRACE_MS = 20_000;

type Undo = () => Promise<unknown>;

/** Runs the server until a stop is requested. */
export async function start(options: StartOptions): Promise<void> {
  const termination = onTermination(() => exit('Stopped by force.'));
  const limit = new StopLimit((ms) => exit(`The server did not stop within ${ms / 1_000} s (Server:StopTimeout).`));
  termination.signal.addEventListener('abort', () => limit.begin());
  const undo: Undo[] = [];
  let failure: unknown;
  try {
    await run(await startLayers(options), termination, limit, undo);
  } catch (error) {
    failure = error;
  }
  limit.begin();
  const failures = await unwind(undo);
  limit.end();
  termination.dispose();
  if (failure !== undefined) throw failure;
  if (failures.length > 0) throw failures[0];
}

/** Ends the process without waiting. */
function exit(why: string): never {
  process.stderr.write(`${why} The next start recovers the work that was in progress.\n`);
  process.exit(1);
}

/** Returns the configuration layers with which a server starts. */
export async function startLayers(options: StartOptions): Promise<ConfigurationLayers> {
  const given = await layersOf(options);
  return options.development === true ? withDevelopmentDefaults(given) : given;
}

async function run(
  layers: ConfigurationLayers,
  termination: Termination,
  limit: StopLimit,
  undo: Undo[],
): Promise<void> {
  const host = await startHost(async (saved) => {
    const composed = await composeHost({ ...layers, saved });
    const { Host, Port, DrainDelay, StopTimeout } = composed.get(CoreConfiguration).Server;
    limit.setTimeout(DrainDelay + StopTimeout);
    if (Port !== 0) await checkPort(Host, Port);
    return composed;
  });
  undo.push(() => host.stop());
  const logger = host.get(LoggerPort);
  const { Server, Data, Workflows } = host.get(CoreConfiguration);
  if (termination.signal.aborted) return termination.requested;
  const deployed = await deployWorkflows(host, Workflows.Directory);
  if (termination.signal.aborted) return termination.requested;
  const server = await createServer(host);
  undo.push(() => server.close(GRACE_MS));
  const listening = await server.listen().catch((error: unknown) => {
    throw explainListenError(error, Server.Host, Server.Port);
  });
  const url = reachable(listening.url);
  undo.push(await writeServerFile(Data.Directory, { url, pid: process.pid }));
  announce(host, logger, { url, deployed, file: layers.file?.path });
  await termination.requested;
  say(host, logger, stopping(Server.DrainDelay));
  await server.drain();
}

function stopping(drainDelayMs: number): string {
  const drain = drainDelayMs === 0 ? '' : `requests are served for another ${drainDelayMs / 1_000} s; then `;
  return `Stopping: ${drain}requests and jobs in progress may finish. Press Ctrl-C again to stop immediately.`;
}

/** Returns the URL by which this machine reaches a server that listens on all addresses. */
function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

interface Announcement {
  readonly url: string;
  readonly deployed: DeployedFiles;
  readonly file: string | undefined;
}

function announce(host: Host, logger: LoggerPort, { url, deployed, file }: Announcement): void {
  const { Data, Auth, Log, Server } = host.get(CoreConfiguration);
  const text = banner({
    version: SERVER_VERSION,
    url,
    dataDirectory: Data.Directory,
    isDefaultDirectory: Data.Directory === resolve('data'),
    configurationFile: file,
    deployed,
    devTokens: Auth.DevToken.Enabled,
    issuer: Auth.Issuer,
  });
  if (isForPeople(host)) process.stdout.write(text);
  else logger.info({ url, version: SERVER_VERSION, dataDirectory: Data.Directory, ...deployed }, 'listening');
  // A port that the system picked appears only here, so it is printed regardless of the log level.
  if (Server.Port === 0 && !isForPeople(host) && !['debug', 'info'].includes(Log.Level))
    createLogger({ level: 'info' }).info({ url }, 'listening');
}

function say(host: Host, logger: LoggerPort, text: string): void {
  if (isForPeople(host)) process.stdout.write(`\n${text}\n`);
  else logger.info({}, text);
}

/** Returns whether output is meant for people. Plain text between lines of JSON would break log parsers. */
function isForPeople(host: Host): boolean {
  return (host.get(CoreConfiguration).Log.Format ?? (process.stdout.isTTY ? 'pretty' : 'json')) === 'pretty';
}

/**
 * Undoes the latest step first: the server stops accepting requests before the engine stops, and the database stops
 * last.
 */
async function unwind(undo: readonly Undo[]): Promise<readonly unknown[]> {
  const failures: unknown[] = [];
  for (const step of undo.toReversed()) await step().catch((error: unknown) => failures.push(error));
  return failures;
}
