import { expect } from 'chai';
import { inlineSchema } from './inline-schema.js';

describe('inlineSchema', () => {
  it('should replace references with their targets and keep the keywords beside the references', () => {
    // given
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        from: { $ref: '#/$defs/ver~1sion', title: 'From' },
        to: { $ref: '#/$defs/ver~1sion', minLength: 3 },
      },
      $defs: { 'ver/sion': { type: 'string', title: 'Version' } },
    };
    // when
    const inlined = inlineSchema(schema);
    // then
    expect(inlined).to.deep.equal({
      type: 'object',
      properties: {
        from: { type: 'string', title: 'From' },
        to: { allOf: [{ type: 'string', title: 'Version' }], minLength: 3 },
      },
    });
  });

  it('should keep properties that are named like keywords', () => {
    // given
    const schema = {
      type: 'object',
      properties: { $ref: { type: 'string' }, id: { type: 'string' }, definitions: { const: { $ref: '#/nowhere' } } },
    };
    // then
    expect(inlineSchema(schema)).to.deep.equal(schema);
  });

  const exponentialSchema = {
    properties: {},
    $defs: Object.fromEntries(
      Array.from({ length: 20 }, (_, level) => [
        `l${level}`,
        level === 19
          ? { type: 'string' }
          : { allOf: [{ $ref: `#/$defs/l${level + 1}` }, { $ref: `#/$defs/l${level + 1}` }] },
      ]),
    ),
    $ref: '#/$defs/l0',
  };
  let deep: object = { type: 'string' };
  for (let level = 0; level < 200_000 / 40; level += 1) deep = { not: deep };
  const cases: Readonly<Record<string, unknown>> = {
    'refers to itself': { properties: { child: { $ref: '#' } } },
    'refers to itself in a circle': {
      $ref: '#/$defs/a',
      $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }] }, b: { anyOf: [{ $ref: '#/$defs/a' }] } },
    },
    'refers to another server': { $ref: 'https://example.com/schema.json' },
    'refers to a missing definition': { $ref: '#/$defs/none' },
    'refers to an inherited property': { $ref: '#/constructor' },
    'grows exponentially': exponentialSchema,
    'is nested too deeply': deep,
    'is too long': { enum: Array.from({ length: 100_000 }, (_, index) => index) },
    'has a property named __proto__': { properties: JSON.parse('{"__proto__":{"type":"string"}}') as unknown },
    'changes the base URI of references': { properties: { a: { $id: 'https://example.com/', type: 'string' } } },
    'contains an invalid subschema': { properties: { a: 3 } },
    'is a string': 'string',
  };
  for (const [description, schema] of Object.entries(cases)) {
    it(`should refuse a schema that ${description}`, () => {
      expect(inlineSchema(schema)).to.equal(undefined);
    });
  }
});
