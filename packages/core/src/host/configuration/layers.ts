import type { JsonObject } from '../../domain/json.js';

/** Where a value comes from, from the weakest to the strongest. */
export const CONFIGURATION_SOURCES = Object.freeze(['default', 'file', 'env', 'commandLine', 'override'] as const);
export type ConfigurationSource = (typeof CONFIGURATION_SOURCES)[number];

/** What a host's configuration is made of; each layer covers the one before. */
export interface ConfigurationLayers {
  /** What the caller prefers to the defaults of the schemas. */
  readonly defaults?: JsonObject;
  readonly file?: ConfigurationFile;
  /** Usually `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly commandLine?: readonly CommandLineValue[];
  /** The strongest: saved settings, or what a test wants. */
  readonly overrides?: JsonObject;
}

export interface ConfigurationFile {
  /** Absolute. Relative paths in the file count from its directory. */
  readonly path: string;
  readonly content: JsonObject;
}

export interface CommandLineValue {
  /** For example `Server:Port`. */
  readonly key: string;
  readonly value: string;
  /** What was written on the command line, if not `--set key=value`. */
  readonly option?: string;
}

/** A value that a layer gives to a key. */
export interface Assignment {
  readonly path: readonly string[];
  readonly value: unknown;
  readonly source: ConfigurationSource;
  /** For people, for example `environment variable Server__Port`. */
  readonly origin: string;
}

export function keyOf(path: readonly (string | number | symbol)[]): string {
  return path.map(String).join(':');
}
