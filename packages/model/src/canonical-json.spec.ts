import { expect } from 'chai';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { canonicalJson, canonicalObject } from './canonical-json.js';
import type { Json, JsonObject } from './json.js';

describe('canonicalJson()', () => {
  it('should write the example of RFC 8785, 3.2.2', () => {
    const value = {
      numbers: JSON.parse('[333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001]') as number[],
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    };
    expect(canonicalJson(value)).to.equal(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('should sort keys by UTF-16 code units (RFC 8785, 3.2.3)', () => {
    const value = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, '\u00f6': 7 };
    expect(Object.keys(JSON.parse(canonicalJson(value)) as object)).to.have.length(7);
    expect(canonicalJson(value).match(/:(\d)/g)).to.deep.equal([':2', ':4', ':6', ':7', ':1', ':5', ':3']);
  });

  it('should sort any number of keys in any input order', () => {
    const name = fc
      .constantFrom('a', 'b', 'aa', 'Z', '10', '9', '', '\u00f6', '\ud83d\ude00', '\ufb33')
      .chain((head) => fc.nat(30).map((tail) => `${head}${tail}`));
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 40, size: 'max' }), (keys) => {
        const value = Object.fromEntries(keys.map((key, index) => [key, index]));
        expect(canonicalJson(value)).to.equal(canonicalize(value));
      }),
    );
  });

  it('should write every character as the reference library does', () => {
    for (let code = 0; code < 0x3000; code += 1) {
      const text = String.fromCharCode(code);
      expect(canonicalJson({ [text]: text })).to.equal(canonicalize({ [text]: text }));
    }
  });

  it('should write any JSON value as the reference library does', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        let expected: string | undefined;
        try {
          expected = canonicalize(value);
        } catch {
          expect(() => canonicalJson(value as object)).to.throw(TypeError);
          return;
        }
        expect(canonicalJson(value as object)).to.equal(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it('should refuse values without a canonical form', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, '\ud800', { '\udc00': 1 }, [() => 1]]) {
      expect(() => canonicalJson(value as object)).to.throw(TypeError);
    }
  });
});

describe('canonicalObject()', () => {
  it('should join the serialized members to the canonical form of the whole object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const members = Object.entries(value).map(([name, member]) => [name, canonicalJson(member as Json)] as const);
        expect(canonicalObject(members)).to.equal(canonicalJson(value as JsonObject));
      }),
    );
  });
});
