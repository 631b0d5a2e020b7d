import type { Json, JsonObject } from '@countersign/model';
import type { Secret } from '../secret.js';

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
  /** What the caller insists on. */
  readonly overrides?: JsonObject;
  /** The strongest: the settings that admins have saved. `startHost` gives them. */
  readonly saved?: readonly SavedSetting[];
}

/** A setting that an admin has saved. */
export interface SavedSetting {
  /** As {@link settingKey} writes it, for example `Integrations:EventIngress:Sources:ci:Secret`. */
  readonly key: string;
  readonly value: Json | Secret;
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
  /** The key of the saved setting that it is. */
  readonly saved?: string;
}

export function keyOf(path: readonly (string | number | symbol)[]): string {
  return path.map(String).join(':');
}

/**
 * The key of a setting from its parts. Names of items and free keys are written with `%3A` for a colon and `%25` for a
 * percent sign.
 */
export function settingKey(parts: readonly string[]): string {
  return parts.map((part) => part.replaceAll('%', '%25').replaceAll(':', '%3A')).join(':');
}

/** The parts of a setting's key. */
export function settingParts(key: string): string[] {
  return key.split(':').map((part) => part.replaceAll(/%3A/gi, ':').replaceAll('%25', '%'));
}
