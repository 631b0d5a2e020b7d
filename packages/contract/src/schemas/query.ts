import { z } from 'zod';

/*
 * A query string contains only strings. These schemas accept strings, and show the intended type in the OpenAPI
 * document and to the typed client. Anything but the exact spelling is refused: `?limit=` is not 0, and `?stuck=yes` is
 * not silently false. A default must be repeated as an override, because zod renders the input schema, which has none.
 */

/** An integer in a query string. */
export function queryInteger(schema: z.ZodType<number, number>) {
  return z.preprocess((value: number): unknown => {
    const input: unknown = value;
    return typeof input === 'string' && /^-?\d{1,15}$/.test(input) ? Number(input) : input;
  }, schema);
}

/** `true` or `false` in a query string. */
export function queryBoolean() {
  return z.preprocess((value: boolean): unknown => {
    const input: unknown = value;
    return input === 'true' ? true : input === 'false' ? false : input;
  }, z.boolean());
}

export const cursorSchema = z
  .string()
  .min(1)
  .max(4096)
  .meta({ description: '`nextCursor` of the previous page; opaque.' });

/** The parameters of every list. */
export const pageQueryShape = {
  limit: queryInteger(z.int().min(1).max(200))
    .default(50)
    .meta({ description: 'Maximum number of items.', override: { default: 50 } }),
  cursor: cursorSchema.optional(),
};

/** The search text of a list. */
export const searchSchema = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: 'Text that an id, title, description or key must contain; case-insensitive.' });

export const dryRunQuerySchema = z.strictObject({
  dryRun: queryBoolean()
    .default(false)
    .meta({ description: '`true`: returns the plan and changes nothing.', override: { default: false } }),
});
