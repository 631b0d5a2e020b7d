import { expect } from 'chai';
import fc from 'fast-check';
import { sortKeys } from './sort-keys.js';

describe('sortKeys', () => {
  it('should sort the keys of all nested objects by code units, and keep the order of arrays', () => {
    const input = {
      b: [{ z: 1, a: 2 }, 3, 1],
      a: { 'aa': null, 'B': 'b', '\u00e4': true, '\ufb01': 0, '\u{1F600}': 0 },
    };
    expect(JSON.stringify(sortKeys(input))).to.equal(
      JSON.stringify({
        a: { 'B': 'b', 'aa': null, '\u00e4': true, '\u{1F600}': 0, '\ufb01': 0 },
        b: [{ a: 2, z: 1 }, 3, 1],
      }),
    );
  });

  it('should return the same object for values and parts whose keys are already sorted', () => {
    const sorted = { a: [1, { b: 2, c: 3 }], d: {} };
    expect(sortKeys(sorted)).to.equal(sorted);
    expect(sortKeys({ z: 1, a: sorted }).a).to.equal(sorted);
  });

  it('should keep array indices first, in numeric order', () => {
    const sorted = { '2': 0, '10': { '9': 0, '11': 0 }, '01': 0, '4294967295': 0, 'a': 0 };
    expect(sortKeys(sorted)).to.equal(sorted);
    expect(Object.keys(sortKeys({ 'b': 0, '10': 0, 'a': 0, '9': 0, '-1': 0 }))).to.eql(['9', '10', '-1', 'a', 'b']);
  });

  it('should keep members named __proto__', () => {
    const input = JSON.parse('{"b":{"z":1,"__proto__":{"d":1,"c":2}},"__proto__":{"y":1,"x":2}}') as object;
    expect(JSON.stringify(sortKeys(input))).to.equal(
      '{"__proto__":{"x":2,"y":1},"b":{"__proto__":{"c":2,"d":1},"z":1}}',
    );
  });

  it('should return the same JSON for every initial order of the keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const sorted = sortKeys(value);
        expect(sorted).to.deep.equal(value);
        expect(JSON.stringify(sortKeys(reverseKeys(value)))).to.equal(JSON.stringify(sorted));
      }),
    );
  });
});

function reverseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reverseKeys(member)]),
  );
}
