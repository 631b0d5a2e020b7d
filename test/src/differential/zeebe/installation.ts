import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The version that Countersign is as exact as. */
export const ZEEBE_VERSION = '8.6.0';

const ARTIFACT = `io.camunda:camunda-zeebe:${ZEEBE_VERSION}:tar.gz`;
const ARCHIVE = join('io', 'camunda', 'camunda-zeebe', ZEEBE_VERSION, `camunda-zeebe-${ZEEBE_VERSION}.tar.gz`);
const UNPACKED = `camunda-zeebe-${ZEEBE_VERSION}`;
/** Zeebe 8.6 is compiled for it. */
const LEAST_JAVA = 21;
const CACHE = fileURLToPath(new URL('../../../../node_modules/.cache/countersign/', import.meta.url));
const DOWNLOAD_TIMEOUT_MS = 600_000;

export interface ZeebeInstallation {
  readonly directory: string;
  readonly javaHome: string;
}

/** Why Zeebe can't be had. */
export class ZeebeUnavailableError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'ZeebeUnavailableError';
  }
}

/**
 * Zeebe as it is published, from the local Maven repository, unpacked once.
 *
 * @param download whether Maven may fetch it (299 MB) where it is not there yet
 * @throws {ZeebeUnavailableError} where there is no Java, no Maven or no archive
 */
export function findZeebe(download: boolean): ZeebeInstallation {
  const javaHome = findJava();
  if (javaHome === undefined) throw new ZeebeUnavailableError(`there is no Java ${LEAST_JAVA} or later (JAVA_HOME)`);
  const directory = join(CACHE, UNPACKED);
  if (!existsSync(directory)) {
    const archive = join(mavenRepository(), ARCHIVE);
    if (!existsSync(archive)) {
      if (!download) throw new ZeebeUnavailableError(`Zeebe ${ZEEBE_VERSION} is not in the local Maven repository; \`npm run differential\` fetches it`);
      fetchArchive(archive);
    }
    unpack(archive, directory);
  }
  return { directory, javaHome };
}

function mavenRepository(): string {
  return process.env['MAVEN_REPOSITORY'] ?? join(homedir(), '.m2', 'repository');
}

function fetchArchive(archive: string): void {
  const { error, status, stderr } = spawnSync('mvn', ['-q', '-B', 'dependency:get', `-Dartifact=${ARTIFACT}`, '-Dtransitive=false'], {
    encoding: 'utf8',
    timeout: DOWNLOAD_TIMEOUT_MS,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (error !== undefined) throw new ZeebeUnavailableError(`Maven can't be run (${error.message})`);
  if (status !== 0) throw new ZeebeUnavailableError(`Maven could not fetch ${ARTIFACT} (${stderr.trim().split('\n')[0] ?? ''})`);
  if (!existsSync(archive)) throw new ZeebeUnavailableError(`Maven keeps its repository somewhere else than in ${mavenRepository()} (MAVEN_REPOSITORY)`);
}

/** In one step, so that nobody finds half of it. */
function unpack(archive: string, directory: string): void {
  mkdirSync(CACHE, { recursive: true });
  const temporary = mkdtempSync(join(CACHE, 'unpack-'));
  try {
    execFileSync('tar', ['-xzf', archive, '-C', temporary]);
    if (!existsSync(directory)) renameSync(join(temporary, UNPACKED), directory);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function findJava(): string | undefined {
  const homes = [process.env['JAVA_HOME'], ...listed('/usr/lib/jvm'), ...listed('/Library/Java/JavaVirtualMachines').map((each) => join(each, 'Contents', 'Home'))];
  return homes.find((home) => home !== undefined && home !== '' && versionOf(home) >= LEAST_JAVA);
}

function listed(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory).map((name) => join(directory, name)) : [];
}

function versionOf(home: string): number {
  const { stderr } = spawnSync(join(home, 'bin', 'java'), ['-version'], { encoding: 'utf8' });
  return Number(/version "(\d+)/.exec(stderr ?? '')?.[1] ?? 0);
}
