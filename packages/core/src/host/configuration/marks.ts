import { resolve } from 'node:path';
import { z } from 'zod';
import { addIsoDuration, parseIsoDuration } from '../../domain/iso-8601.js';

/** What the shape of a schema does not tell about a value of the configuration. */
export interface Mark {
  readonly kind: 'secret' | 'path' | 'duration';
}

const marks = z.registry<Mark>();

/** Remembers what a schema stands for; `describe` and the like keep it. */
export function mark<Schema extends z.ZodType>(schema: Schema, kind: Mark['kind']): Schema {
  marks.add(schema, { kind });
  return schema;
}

/** The kind that {@link mark} gave to a schema, if any. */
export function markOf(schema: z.core.$ZodType): Mark['kind'] | undefined {
  return marks.get(schema)?.kind;
}

/**
 * A path of the file system, absolute once parsed. A relative one counts from the directory of the file that it stands
 * in; in the environment, on the command line and as a default, from the working directory.
 */
export const filePath = () => mark(z.string().min(1, 'A path is needed.').transform((path) => resolve(path)), 'path');

/** An ISO 8601 duration such as `PT5M`, in milliseconds once parsed. A month counts 31 days. */
export const duration = () =>
  mark(
    z.string().transform((text, context) => {
      const parsed = parseIsoDuration(text);
      const milliseconds = parsed === undefined || parsed.negative ? undefined : addIsoDuration(0, parsed);
      if (milliseconds !== undefined) return milliseconds;
      context.addIssue({ code: 'custom', message: 'Expected an ISO 8601 duration such as PT5M or P1DT12H.' });
      return z.NEVER;
    }),
    'duration',
  );
