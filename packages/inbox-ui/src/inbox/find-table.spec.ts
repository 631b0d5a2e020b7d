import type { JsonObject } from '@countersign/contract';
import { expect } from 'chai';
import { findTable } from './find-table.js';

describe('findTable', () => {
  it('should return the members of all rows in their first order', () => {
    const rows: JsonObject[] = [{ sku: 'a', price: 1 }, { price: 2, note: 'x' }, {}];
    expect(findTable(rows)).to.deep.equal({ columns: ['sku', 'price', 'note'], rows });
  });

  it('should find no table in other values', () => {
    const wideRow = Object.fromEntries(Array.from({ length: 13 }, (_, index) => [`column${index}`, index]));
    for (const value of [[], [{}], ['a'], [[1]], [{ a: 1 }, 'b'], [null], { a: 1 }, 'text', 1, null, [wideRow]])
      expect(findTable(value), JSON.stringify(value)).to.equal(undefined);
  });
});
