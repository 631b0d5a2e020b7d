import type { Json, JsonObject } from '@countersign/core/plugin';
import { expect } from 'chai';
import { argumentsChecker } from './check-arguments.js';

describe('argumentsChecker()', () => {
  const fits = (schema: JsonObject, given: Json): boolean =>
    'arguments' in argumentsChecker({ type: 'object', ...schema })(given);
  const ofA = (a: Json): JsonObject => ({ properties: { a } });

  it('should check the keywords that can be evaluated in bounded time', () => {
    const cases: readonly (readonly [JsonObject, Json, Json])[] = [
      [ofA({ type: 'string', minLength: 2 }), { a: 'xy' }, { a: 'x' }],
      [ofA({ type: 'integer', exclusiveMinimum: 0, multipleOf: 2 }), { a: 4 }, { a: 3 }],
      [ofA({ enum: ['x', null] }), { a: null }, { a: 'y' }],
      [ofA({ const: { b: 1 } }), { a: { b: 1 } }, { a: { b: 2 } }],
      [ofA({ type: 'array', items: { type: 'string' }, maxItems: 2 }), { a: ['x'] }, { a: [1] }],
      [ofA({ prefixItems: [{ type: 'string' }] }), { a: ['x', 1] }, { a: [1] }],
      [ofA({ anyOf: [{ type: 'string' }, { type: 'null' }] }), { a: null }, { a: 1 }],
      [ofA({ oneOf: [{ type: 'string' }, { type: 'null' }] }), { a: 'x' }, { a: 1 }],
      [ofA({ allOf: [{ minimum: 1 }, { maximum: 2 }] }), { a: 2 }, { a: 3 }],
      [{ required: ['a'] }, { a: 1 }, {}],
      [{ properties: { a: true }, additionalProperties: false }, { a: 1 }, { b: 1 }],
      [{ $defs: { n: { type: 'number' } }, properties: { a: { $ref: '#/$defs/n' } } }, { a: 1 }, { a: 'x' }],
      [{ properties: { a: { $ref: '#/properties/b' }, b: { type: 'number' } } }, { a: 1 }, { a: 'x' }],
    ];
    for (const [schema, good, bad] of cases) {
      expect(fits(schema, good), JSON.stringify([schema, good])).to.equal(true);
      expect(fits(schema, bad), JSON.stringify([schema, bad])).to.equal(false);
    }
  });

  it('should accept arguments if only the server can evaluate the keyword', () => {
    for (const schema of [
      ofA({ pattern: '^(a+)+$' }),
      ofA({ format: 'email' }),
      ofA({ not: { type: 'string' } }),
      ofA({ if: { pattern: 'x' }, then: false }),
      ofA({ oneOf: [{ pattern: 'a' }, { pattern: 'b' }] }),
      { patternProperties: { '^a': true }, additionalProperties: false },
    ])
      expect(fits(schema, { a: `${'a'.repeat(40)}!` }), JSON.stringify(schema)).to.equal(true);
  });

  it('should check a recursive schema only down to its first reference to itself', () => {
    const tree: JsonObject = {
      properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
      required: ['name'],
    };

    expect(fits(tree, { name: 'a', children: [{ name: 1 }] }), 'below itself, the server tells').to.equal(true);
    expect(fits(tree, { name: 'a', children: 'none' })).to.equal(false);
    expect(fits(tree, { children: [] })).to.equal(false);
  });

  it('should refuse a schema whose references expand exponentially', () => {
    const doubling = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [
        `a${n}`,
        { properties: { x: { $ref: `#/$defs/a${n + 1}` }, y: { $ref: `#/$defs/a${n + 1}` } } },
      ]),
    );

    expect(() => argumentsChecker({ $defs: { ...doubling, a40: {} }, $ref: '#/$defs/a0' })).to.throw(/expand/);
    expect(() =>
      argumentsChecker({ properties: { a: { $ref: '#/properties/b' }, b: { $ref: '#/properties/a' } } }),
    ).not.to.throw();
  });

  it('should refuse an invalid schema or an unresolvable reference', () => {
    for (const schema of [
      ofA('string'),
      ofA({ anyOf: 'x' }),
      { properties: [] },
      ofA({ $ref: 'https://example.org/a' }),
      ofA({ $ref: '#/nowhere' }),
      ofA({ $ref: '#/constructor' }),
    ] as JsonObject[]) {
      expect(() => argumentsChecker(schema), JSON.stringify(schema)).to.throw();
    }
  });

  it('should name properties in errors by a JSON pointer with their original names', () => {
    const name = 'filter[100%#/ä"~] x';
    const check = argumentsChecker({ type: 'object', properties: { [name]: { type: 'string' } } });

    expect(check({ [name]: 1 })).to.deep.equal({
      problems: ['At /filter[100%#~1ä"~0] x: Instance type "number" is invalid. Expected "string".'],
    });
  });

  it('should refuse arguments that are too large, contain a polluting key or are not an object', () => {
    expect(fits({}, { a: 'x'.repeat(262_144) })).to.equal(false);
    expect(fits({}, JSON.parse('{"a": {"constructor": 1}}') as Json)).to.equal(false);
    expect(fits({}, [])).to.equal(false);
  });
});
