import { z } from 'zod';

/** Returns the envelope schema of a list: a page and the start of the next one. */
export function buildListSchema<T extends z.ZodType>(item: T, id: string) {
  return z
    .object({
      items: z.array(item),
      nextCursor: z
        .string()
        .nullable()
        .meta({ description: 'Send it as `cursor` to get the next page; `null` on the last page.' }),
    })
    .meta({ id });
}

/** A page of `T`. */
export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}
