import type { Json, JsonObject } from '@countersign/model';
import type { Secret } from '../secret.js';

/** Sources of values, in ascending precedence. */
export const CONFIGURATION_SOURCES = Object.freeze(['default', 'file', 'env', 'commandLine', 'override'] as const);
export type ConfigurationSource = (typeof CONFIGURATION_SOURCES)[number];

/** Layers of a host's configuration. Each layer overrides the previous ones. */
export interface ConfigurationLayers {
  /** Values that replace the defaults of the schemas. */
  readonly defaults?: JsonObject;
  readonly file?: ConfigurationFile;
  /** Usually `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly commandLine?: readonly CommandLineValue[];
  /** Values that override the layers above. */
  readonly overrides?: JsonObject;
  /** Settings saved by admins, with the highest precedence. Passed by `startHost`. */
  readonly saved?: readonly SavedSetting[];
}

/** A setting saved by an admin. */
export interface SavedSetting {
  /** Key in the format of {@link encodeSettingKey}, for example `Integrations:EventIngress:Sources:ci:Secret`. */
  readonly key: string;
  readonly value: Json | Secret;
}

export interface ConfigurationFile {
  /** Absolute path of the file. Relative paths in the file are resolved against its directory. */
  readonly path: string;
  readonly content: JsonObject;
}

export interface CommandLineValue {
  /** Key of the setting, for example `Server:Port`. */
  readonly key: string;
  readonly value: string;
  /** Option used on the command line, if not `--set key=value`. */
  readonly option?: string;
}

/** A value that a layer assigns to a key. */
export interface Assignment {
  readonly path: readonly string[];
  readonly value: unknown;
  readonly source: ConfigurationSource;
  /** Display text, for example `environment variable Server__Port`. */
  readonly origin: string;
  /** Key of the saved setting, if the value is one. */
  readonly savedKey?: string;
}

export function joinPath(path: readonly (string | number | symbol)[]): string {
  return path.map(String).join(':');
}

/**
 * Joins the parts of a setting's key. In item names and map keys, a colon is written as `%3A` and a percent sign as
 * `%25`.
 */
export function encodeSettingKey(parts: readonly string[]): string {
  return parts.map((part) => part.replaceAll('%', '%25').replaceAll(':', '%3A')).join(':');
}

/** Splits a setting's key into its parts. */
export function decodeSettingKey(key: string): string[] {
  return key.split(':').map((part) => part.replaceAll(/%3A/gi, ':').replaceAll('%25', '%'));
}
