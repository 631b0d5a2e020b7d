import { resolve } from 'node:path';
import { z } from 'zod';
import { addIsoDuration, parseIsoDuration } from '@countersign/model';

/** Metadata of a configuration value beyond the shape of its schema. */
export interface SchemaMetadata {
  readonly kind?: 'secret' | 'path' | 'duration';
  /** Whether a change takes effect without a restart. */
  readonly reloadable?: boolean;
  /** Whether the value is deployment-only: set where the server is deployed, never through the API. */
  readonly deploymentOnly?: boolean;
  /** Key whose value names an item of a list. */
  readonly keyedBy?: string;
}

const NO_METADATA: SchemaMetadata = Object.freeze({});

type MetadataRegistry = z.core.$ZodRegistry<SchemaMetadata>;

/**
 * One registry for all copies of this package in the process. A plugin with its own copy marks its secrets in this
 * registry too; otherwise the host would not see the marks and would display the secrets.
 */
const REGISTRY_KEY = Symbol.for('@countersign/core:configurationMarks');
const globalRegistry = globalThis as { [REGISTRY_KEY]?: MetadataRegistry };
const metadataRegistry: MetadataRegistry = (globalRegistry[REGISTRY_KEY] ??= z.registry<SchemaMetadata>());

/** Attaches metadata to a schema. `describe()` and similar calls preserve it. */
export function annotate<Schema extends z.ZodType>(schema: Schema, metadata: SchemaMetadata): Schema {
  metadataRegistry.add(schema, { ...getMetadata(schema), ...metadata });
  return schema;
}

/** Returns the metadata attached by {@link annotate}, without that of wrappers and parts of the schema. */
export function getMetadata(schema: z.core.$ZodType): SchemaMetadata {
  return metadataRegistry.get(schema) ?? NO_METADATA;
}

/**
 * Marks a value, section or list as reloadable: its users read it from `registry.live` at each use, so a setting saved
 * by an admin takes effect in every server process within seconds. Other saved settings need a restart.
 */
export const reloadable = <Schema extends z.ZodType>(schema: Schema): Schema =>
  annotate(cloneSchema(schema), { reloadable: true });

/**
 * Marks a value or section as deployment-only: set in the file, the environment or on the command line, never through
 * the API. Use it for values needed to read the settings, values of one process or machine, and values that would let
 * an attacker with a stolen admin token keep access.
 */
export const deploymentOnly = <Schema extends z.ZodType>(schema: Schema): Schema =>
  annotate(cloneSchema(schema), { deploymentOnly: true });

/**
 * Marks a list whose items are sections, each named by the value of one of its keys, such as `Id`. Settings address an
 * item by that name, not by its index, so that reordering the list cannot assign a secret to another item. Duplicate
 * names are refused.
 */
export const keyedBy = <Schema extends z.ZodType>(key: string, schema: Schema): Schema =>
  annotate(cloneSchema(schema), { keyedBy: key });

/** Copies a schema, because it may be used elsewhere without the mark. */
function cloneSchema<Schema extends z.ZodType>(schema: Schema): Schema {
  return schema.clone();
}

/**
 * Schema of a file system path, absolute after parsing. Relative paths are resolved against the directory of the file
 * that contains them; in the environment, on the command line and in defaults, against the working directory.
 */
export const filePath = () =>
  annotate(
    z
      .string()
      .min(1, 'A path is required.')
      .transform((path) => resolve(path)),
    { kind: 'path' },
  );

/**
 * Schema of an ISO 8601 duration such as `PT5M`, in milliseconds after parsing. Years and months count from 1 January
 * 1970, so P1M is 31 days and P2M is 59.
 */
export const duration = () =>
  annotate(
    z.string().transform((text, context) => {
      const parsed = parseIsoDuration(text);
      const milliseconds = parsed === undefined || parsed.negative ? undefined : addIsoDuration(0, parsed);
      if (milliseconds !== undefined) return milliseconds;
      context.addIssue({ code: 'custom', message: 'Expected an ISO 8601 duration such as PT5M or P1DT12H.' });
      return z.NEVER;
    }),
    { kind: 'duration' },
  );
