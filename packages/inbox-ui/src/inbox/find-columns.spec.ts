import { expect } from 'chai';
import { findColumns } from './find-columns.js';

describe('findColumns', () => {
  it('should return the members of all rows in their first order', () => {
    expect(findColumns([{ sku: 'a', price: 1 }, { price: 2, note: 'x' }, {}])).to.deep.equal(['sku', 'price', 'note']);
  });

  it('should find no table in other values', () => {
    const wideRow = Object.fromEntries(Array.from({ length: 13 }, (_, index) => [`column${index}`, index]));
    for (const value of [[], [{}], ['a'], [[1]], [{ a: 1 }, 'b'], [null], { a: 1 }, 'text', 1, null, [wideRow]])
      expect(findColumns(value), JSON.stringify(value)).to.equal(undefined);
  });
});
