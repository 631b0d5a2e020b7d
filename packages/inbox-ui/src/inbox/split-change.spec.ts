import type { JsonValue } from '@countersign/contract';
import { expect } from 'chai';
import { splitChange } from './split-change.js';

describe('splitChange', () => {
  it('should separate the change from the other members', () => {
    expect(splitChange({ reason: 'x', before: 1, after: [2], __proto__: null } as never)).to.deep.equal({
      before: 1,
      after: [2],
      rest: { reason: 'x' },
    });
    expect(splitChange({ before: null, after: 'new' })).to.deep.equal({ before: null, after: 'new', rest: {} });
  });

  it('should find no change in other values', () => {
    for (const value of [{ before: 1 }, { after: 1 }, {}, ['before', 'after'], 'before after', 1, null] as JsonValue[])
      expect(splitChange(value), JSON.stringify(value)).to.equal(undefined);
  });
});
