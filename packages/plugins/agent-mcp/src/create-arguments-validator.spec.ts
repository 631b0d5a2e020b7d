import type { Json, JsonObject } from '@countersign/core/plugin';
import { expect } from 'chai';
import { createArgumentsValidator } from './create-arguments-validator.js';

describe('createArgumentsValidator()', () => {
  const isAccepted = (schema: JsonObject, args: Json): boolean =>
    'arguments' in createArgumentsValidator({ type: 'object', ...schema })(args);
  const createSchemaWithA = (a: Json): JsonObject => ({ properties: { a } });

  it('should check the keywords that can be evaluated in bounded time', () => {
    const cases: readonly (readonly [JsonObject, Json, Json])[] = [
      [createSchemaWithA({ type: 'string', minLength: 2 }), { a: 'xy' }, { a: 'x' }],
      [createSchemaWithA({ type: 'integer', exclusiveMinimum: 0, multipleOf: 2 }), { a: 4 }, { a: 3 }],
      [createSchemaWithA({ enum: ['x', null] }), { a: null }, { a: 'y' }],
      [createSchemaWithA({ const: { b: 1 } }), { a: { b: 1 } }, { a: { b: 2 } }],
      [createSchemaWithA({ type: 'array', items: { type: 'string' }, maxItems: 2 }), { a: ['x'] }, { a: [1] }],
      [createSchemaWithA({ prefixItems: [{ type: 'string' }] }), { a: ['x', 1] }, { a: [1] }],
      [createSchemaWithA({ anyOf: [{ type: 'string' }, { type: 'null' }] }), { a: null }, { a: 1 }],
      [createSchemaWithA({ oneOf: [{ type: 'string' }, { type: 'null' }] }), { a: 'x' }, { a: 1 }],
      [createSchemaWithA({ allOf: [{ minimum: 1 }, { maximum: 2 }] }), { a: 2 }, { a: 3 }],
      [{ required: ['a'] }, { a: 1 }, {}],
      [{ properties: { a: true }, additionalProperties: false }, { a: 1 }, { b: 1 }],
      [{ $defs: { n: { type: 'number' } }, properties: { a: { $ref: '#/$defs/n' } } }, { a: 1 }, { a: 'x' }],
      [{ properties: { a: { $ref: '#/properties/b' }, b: { type: 'number' } } }, { a: 1 }, { a: 'x' }],
    ];
    for (const [schema, validArgs, invalidArgs] of cases) {
      expect(isAccepted(schema, validArgs), JSON.stringify([schema, validArgs])).to.equal(true);
      expect(isAccepted(schema, invalidArgs), JSON.stringify([schema, invalidArgs])).to.equal(false);
    }
  });

  it('should accept arguments if only the server can evaluate the keyword', () => {
    for (const schema of [
      createSchemaWithA({ pattern: '^(a+)+$' }),
      createSchemaWithA({ format: 'email' }),
      createSchemaWithA({ not: { type: 'string' } }),
      createSchemaWithA({ if: { pattern: 'x' }, then: false }),
      createSchemaWithA({ oneOf: [{ pattern: 'a' }, { pattern: 'b' }] }),
      { patternProperties: { '^a': true }, additionalProperties: false },
    ])
      expect(isAccepted(schema, { a: `${'a'.repeat(40)}!` }), JSON.stringify(schema)).to.equal(true);
  });

  it('should check a recursive schema only down to its first reference to itself', () => {
    const treeSchema: JsonObject = {
      properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
      required: ['name'],
    };

    expect(
      isAccepted(treeSchema, { name: 'a', children: [{ name: 1 }] }),
      'only the server checks values below the reference',
    ).to.equal(true);
    expect(isAccepted(treeSchema, { name: 'a', children: 'none' })).to.equal(false);
    expect(isAccepted(treeSchema, { children: [] })).to.equal(false);
  });

  it('should refuse a schema whose references expand exponentially', () => {
    const doublingDefinitions = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [
        `a${n}`,
        { properties: { x: { $ref: `#/$defs/a${n + 1}` }, y: { $ref: `#/$defs/a${n + 1}` } } },
      ]),
    );

    expect(() => createArgumentsValidator({ $defs: { ...doublingDefinitions, a40: {} }, $ref: '#/$defs/a0' })).to.throw(
      /expand/,
    );
    expect(() =>
      createArgumentsValidator({ properties: { a: { $ref: '#/properties/b' }, b: { $ref: '#/properties/a' } } }),
    ).not.to.throw();
  });

  it('should refuse an invalid schema or an unresolvable reference', () => {
    for (const schema of [
      createSchemaWithA('string'),
      createSchemaWithA({ anyOf: 'x' }),
      { properties: [] },
      createSchemaWithA({ $ref: 'https://example.org/a' }),
      createSchemaWithA({ $ref: '#/nowhere' }),
      createSchemaWithA({ $ref: '#/constructor' }),
    ] as JsonObject[]) {
      expect(() => createArgumentsValidator(schema), JSON.stringify(schema)).to.throw();
    }
  });

  it('should name properties in errors by a JSON pointer with their original names', () => {
    const name = 'filter[100%#/ä"~] x';
    const validate = createArgumentsValidator({ type: 'object', properties: { [name]: { type: 'string' } } });

    expect(validate({ [name]: 1 })).to.deep.equal({
      problems: ['At /filter[100%#~1ä"~0] x: Instance type "number" is invalid. Expected "string".'],
    });
  });

  it('should refuse arguments that are too large, contain a polluting key or are not an object', () => {
    expect(isAccepted({}, { a: 'x'.repeat(262_144) })).to.equal(false);
    expect(isAccepted({}, JSON.parse('{"a": {"constructor": 1}}') as Json)).to.equal(false);
    expect(isAccepted({}, [])).to.equal(false);
  });
});
