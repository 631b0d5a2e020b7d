import { z } from 'zod';

/** Returns the schema of a list response: the items of a page and the cursor of the next page. */
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
