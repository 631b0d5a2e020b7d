import { expect } from 'chai';
import type { Page, PageRequest } from '@countersign/core/ports';

/** Reads all pages of a list and returns their items. */
export async function readAll<T>(readPage: (page: PageRequest) => Promise<Page<T>>, limit: number): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await readPage({ limit, ...(cursor === undefined ? {} : { cursor }) });
    expect(page.items.length).to.be.at.most(limit);
    items.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return items;
}
