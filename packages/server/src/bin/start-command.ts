import { CoreConfiguration, LoggerPort, startHost, type ConfigurationLayers, type Host } from '@countersign/core';
import { resolve } from 'node:path';
import { createLogger } from '../app/create-logger.js';
import { createServer } from '../app/index.js';
import { SERVER_VERSION } from '../app/version.js';
import { formatBanner } from './banner.js';
import { checkPort, explainListenError } from './check-port.js';
import { composeHost } from './compose-host.js';
import { loadConfigurationLayers, type ConfigurationOptions } from './configuration-options.js';
import { deployWorkflows, type DeployedFiles } from './deploy-workflows.js';
import { withDevelopmentDefaults } from './development-defaults.js';
import { writeServerFile } from './server-file.js';
import { StopTimer } from './stop-timer.js';
import { listenForTermination, type Termination } from './termination.js';

export interface StartOptions extends ConfigurationOptions {
  readonly development?: boolean;
}

/** Time for requests and jobs to finish when the server stops. */
const GRACE_MS = 20_000;
/** Time in which the process ends by itself after the server has stopped. */
const EXIT_GRACE_MS = 3_000;

type Cleanup = () => Promise<unknown>;

/** Runs the server until a stop is requested. */
export async function start(options: StartOptions): Promise<void> {
  const termination = listenForTermination(() => exitImmediately('Stopped by force.'));
  const stopTimer = new StopTimer((ms) =>
    exitImmediately(`The server did not stop within ${ms / 1_000} s (Server:StopTimeout).`),
  );
  termination.signal.addEventListener('abort', () => stopTimer.start());
  const cleanups: Cleanup[] = [];
  let failure: unknown;
  try {
    await runServer(await loadStartLayers(options), termination, stopTimer, cleanups);
  } catch (error) {
    failure = error;
  }
  stopTimer.start();
  const failures = await runCleanups(cleanups);
  stopTimer.clear();
  termination.dispose();
  endProcessSoon();
  if (failure !== undefined) throw failure;
  if (failures.length > 0) throw failures[0];
}

/** Ends the process even if a library has left something open, such as a thread. Otherwise, it ends by itself. */
function endProcessSoon(): void {
  setTimeout(() => process.exit(), EXIT_GRACE_MS).unref();
}

/** Ends the process without waiting. */
function exitImmediately(reason: string): never {
  process.stderr.write(`${reason} The next start recovers the work that was in progress.\n`);
  process.exit(1);
}

/** Returns the configuration layers with which a server starts. */
export async function loadStartLayers(options: StartOptions): Promise<ConfigurationLayers> {
  const layers = await loadConfigurationLayers(options);
  return options.development === true ? withDevelopmentDefaults(layers) : layers;
}

async function runServer(
  layers: ConfigurationLayers,
  termination: Termination,
  stopTimer: StopTimer,
  cleanups: Cleanup[],
): Promise<void> {
  const host = await startHost(async (saved) => {
    const newHost = await composeHost({ ...layers, saved });
    const { Host, Port, DrainDelay, StopTimeout } = newHost.get(CoreConfiguration).Server;
    stopTimer.setTimeoutMs(DrainDelay + StopTimeout);
    if (Port !== 0) await checkPort(Host, Port);
    return newHost;
  });
  cleanups.push(() => host.stop());
  const logger = host.get(LoggerPort);
  const { Server, Data, Workflows } = host.get(CoreConfiguration);
  if (termination.signal.aborted) return termination.requested;
  const deployed = await deployWorkflows(host, Workflows.Directory);
  if (termination.signal.aborted) return termination.requested;
  const server = await createServer(host);
  cleanups.push(() => server.close(GRACE_MS));
  const listening = await server.listen().catch((error: unknown) => {
    throw explainListenError(error, Server.Host, Server.Port);
  });
  const url = toReachableUrl(listening.url);
  cleanups.push(await writeServerFile(Data.Directory, { url, pid: process.pid }));
  logStart(host, logger, { url, deployed, file: layers.file?.path });
  await termination.requested;
  printOrLog(host, logger, formatStoppingMessage(Server.DrainDelay));
  await server.drain();
}

function formatStoppingMessage(drainDelayMs: number): string {
  const drainText = drainDelayMs === 0 ? '' : `requests are served for another ${drainDelayMs / 1_000} s; then `;
  return `Stopping: ${drainText}requests and jobs in progress may finish. Press Ctrl-C again to stop immediately.`;
}

/** Returns the URL by which this machine reaches a server that listens on all addresses. */
function toReachableUrl(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

interface StartInfo {
  readonly url: string;
  readonly deployed: DeployedFiles;
  readonly file: string | undefined;
}

function logStart(host: Host, logger: LoggerPort, { url, deployed, file }: StartInfo): void {
  const { Data, Auth, Log, Server } = host.get(CoreConfiguration);
  const text = formatBanner({
    version: SERVER_VERSION,
    url,
    dataDirectory: Data.Directory,
    isDefaultDirectory: Data.Directory === resolve('data'),
    configurationFile: file,
    deployed,
    devTokens: Auth.DevToken.Enabled,
    issuer: Auth.Issuer,
  });
  if (isHumanReadable(host)) process.stdout.write(text);
  else logger.info({ url, version: SERVER_VERSION, dataDirectory: Data.Directory, ...deployed }, 'listening');
  // A port that the system picked appears only here, so it is printed regardless of the log level.
  if (Server.Port === 0 && !isHumanReadable(host) && !['debug', 'info'].includes(Log.Level))
    createLogger({ level: 'info' }).info({ url }, 'listening');
}

function printOrLog(host: Host, logger: LoggerPort, text: string): void {
  if (isHumanReadable(host)) process.stdout.write(`\n${text}\n`);
  else logger.info({}, text);
}

/** Returns whether output is meant for people. Plain text between lines of JSON would break log parsers. */
function isHumanReadable(host: Host): boolean {
  return (host.get(CoreConfiguration).Log.Format ?? (process.stdout.isTTY ? 'pretty' : 'json')) === 'pretty';
}

/**
 * Runs the cleanups in reverse order: the server stops accepting requests before the engine stops, and the database
 * stops last.
 */
async function runCleanups(cleanups: readonly Cleanup[]): Promise<readonly unknown[]> {
  const failures: unknown[] = [];
  for (const cleanup of cleanups.toReversed()) await cleanup().catch((error: unknown) => failures.push(error));
  return failures;
}
