import { resolve } from 'node:path';
import { z } from 'zod';
import { addIsoDuration, parseIsoDuration } from '@countersign/model';

/** Metadata of a configuration value beyond the shape of its schema. */
export interface SchemaMetadata {
  readonly kind?: 'secret' | 'path' | 'duration';
  /** Whether a change takes effect immediately. */
  readonly live?: boolean;
  /** Whether the value is deployment-only: set where the server is deployed, never through the API. */
  readonly fixed?: boolean;
  /** Key whose value names an item of a list. */
  readonly keyedBy?: string;
}

const NONE: SchemaMetadata = Object.freeze({});

type Marks = z.core.$ZodRegistry<SchemaMetadata>;

/**
 * One registry for all copies of this package in the process. A plugin with its own copy marks its secrets in this
 * registry too; otherwise the host would not see the marks and would display the secrets.
 */
const SHARED = Symbol.for('@countersign/core:configurationMarks');
const shared = globalThis as { [SHARED]?: Marks };
const marks: Marks = (shared[SHARED] ??= z.registry<SchemaMetadata>());

/** Attaches metadata to a schema. `describe()` and similar calls preserve it. */
export function annotate<Schema extends z.ZodType>(schema: Schema, more: SchemaMetadata): Schema {
  marks.add(schema, { ...metadataOf(schema), ...more });
  return schema;
}

/** Returns the metadata attached by {@link annotate}, without that of wrappers and parts of the schema. */
export function metadataOf(schema: z.core.$ZodType): SchemaMetadata {
  return marks.get(schema) ?? NONE;
}

/**
 * Marks a value, section or list as reloadable: its users read it from `registry.live` at each use, so a setting saved
 * by an admin takes effect immediately in every server process. Other saved settings need a restart.
 */
export const live = <Schema extends z.ZodType>(schema: Schema): Schema => annotate(copyOf(schema), { live: true });

/**
 * Marks a value or section as deployment-only: set in the file, the environment or on the command line, never through
 * the API. Use it for values needed to read the settings, values of one process or machine, and values that would let
 * an attacker with a stolen admin token keep access.
 */
export const fixed = <Schema extends z.ZodType>(schema: Schema): Schema => annotate(copyOf(schema), { fixed: true });

/**
 * Marks a list whose items are sections, each named by the value of one of its keys, such as `Id`. Settings address an
 * item by that name, not by its index, so that reordering the list cannot assign a secret to another item. Duplicate
 * names are refused.
 */
export const keyedBy = <Schema extends z.ZodType>(key: string, schema: Schema): Schema =>
  annotate(copyOf(schema), { keyedBy: key });

/** Copies a schema, because it may be used elsewhere without the mark. */
function copyOf<Schema extends z.ZodType>(schema: Schema): Schema {
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

/** Schema of an ISO 8601 duration such as `PT5M`, in milliseconds after parsing. A month counts as 31 days. */
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
