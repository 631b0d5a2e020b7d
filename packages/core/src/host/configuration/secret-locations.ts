import { resolve } from 'node:path';
import type { ServiceIdentifier } from 'inversify';
import type { KnownSecrets } from '../../ports/known-secrets.js';
import type { CoreConfiguration } from './core-configuration.js';
import type { ConfigurationLayers } from './configuration-layers.js';
import { findReferencedFiles } from './read-environment.js';
import type { ResolvedConfiguration } from './resolve-configuration.js';

/** Locations of this server's secrets on this machine. Programs that the server starts must not read them. */
export interface SecretLocations {
  /** Absolute paths of directories that contain keys and passwords, such as `Data:Directory`. */
  readonly directories: readonly string[];
  /**
   * Absolute paths of files with secrets: the configuration file if it contains any, and files named by variables such
   * as `…__Secret_FILE`.
   */
  readonly files: readonly string[];
  /** Whether the command line contains a secret. Every user of the machine may read it. */
  readonly isOnCommandLine: boolean;
  /** Whether the environment contains a secret. */
  readonly isInEnvironment: boolean;
}

export const SecretLocations: ServiceIdentifier<SecretLocations> = Symbol.for('@countersign/core:SecretPlaces');

export function findSecretLocations(
  { file, environment = {}, commandLine = [] }: ConfigurationLayers,
  { parsed, root }: ResolvedConfiguration,
  secrets: KnownSecrets,
): SecretLocations {
  const core = parsed.get('core') as CoreConfiguration | undefined;
  const containSecret = (strings: Iterable<string>): boolean =>
    [...strings].some((candidate) => secrets.current.some((secret) => secret !== '' && candidate.includes(secret)));
  return {
    directories: core === undefined ? [] : [core.Data.Directory],
    get files() {
      const configuration = file !== undefined && containSecret(collectStrings(file.content)) ? [file.path] : [];
      return [...configuration, ...findReferencedFiles(root, environment).map((path) => resolve(path))];
    },
    get isOnCommandLine() {
      return containSecret(commandLine.map(({ value }) => value));
    },
    get isInEnvironment() {
      return containSecret(Object.values(environment).filter((value) => value !== undefined));
    },
  };
}

function* collectStrings(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const item of Object.values(value)) yield* collectStrings(item);
}
