import { resolve } from 'node:path';
import { z } from 'zod';
import { addIsoDuration, parseIsoDuration } from '@countersign/model';

/** What the shape of a schema does not tell about a value of the configuration. */
export interface SchemaMetadata {
  readonly kind?: 'secret' | 'path' | 'duration';
  /** A change takes effect at once. */
  readonly live?: boolean;
  /** Set only where the server is deployed. */
  readonly fixed?: boolean;
  /** The key whose value names an item of a list. */
  readonly keyedBy?: string;
}

const NONE: SchemaMetadata = Object.freeze({});

type Marks = z.core.$ZodRegistry<SchemaMetadata>;

/**
 * One registry for all copies of this package in the process: a plugin that has its own copy marks its secrets there too,
 * and a host that did not see the mark would show them.
 */
const SHARED = Symbol.for('@countersign/core:configurationMarks');
const shared = globalThis as { [SHARED]?: Marks };
const marks: Marks = (shared[SHARED] ??= z.registry<SchemaMetadata>());

/** Remembers what a schema stands for; `describe` and the like keep it. */
export function annotate<Schema extends z.ZodType>(schema: Schema, more: SchemaMetadata): Schema {
  marks.add(schema, { ...metadataOf(schema), ...more });
  return schema;
}

/** What {@link annotate} was told of a schema, wrappers and parts of it left aside. */
export function metadataOf(schema: z.core.$ZodType): SchemaMetadata {
  return marks.get(schema) ?? NONE;
}

/**
 * Says that whoever uses a value (or a section, or a list) reads it from `registry.live` at each use: a setting that an
 * admin saves then takes effect at once, in every server process. Without it, a saved setting needs a restart.
 */
export const live = <Schema extends z.ZodType>(schema: Schema): Schema => annotate(copyOf(schema), { live: true });

/**
 * Says that a value (or all of a section) is set only where the server is deployed: in the file, the environment or on the
 * command line, and never by the API. For what the settings are read with, what belongs to one process or machine, and
 * what would let a stolen token of an admin stay in.
 */
export const fixed = <Schema extends z.ZodType>(schema: Schema): Schema => annotate(copyOf(schema), { fixed: true });

/**
 * Says that the items of a list are sections, each named by the value of one of its keys, such as `Id`. Settings address
 * an item by that name, never by its place: in a list that was put in another order, the secret of one must not become
 * that of another. Two items of one name are refused.
 */
export const keyedBy = <Schema extends z.ZodType>(key: string, schema: Schema): Schema =>
  annotate(copyOf(schema), { keyedBy: key });

/** A schema may be used in several places, and a mark is meant for one of them. */
function copyOf<Schema extends z.ZodType>(schema: Schema): Schema {
  return schema.clone();
}

/**
 * A path of the file system, absolute once parsed. A relative one counts from the directory of the file that it stands
 * in; in the environment, on the command line and as a default, from the working directory.
 */
export const filePath = () =>
  annotate(
    z
      .string()
      .min(1, 'A path is needed.')
      .transform((path) => resolve(path)),
    { kind: 'path' },
  );

/** An ISO 8601 duration such as `PT5M`, in milliseconds once parsed. A month counts 31 days. */
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
