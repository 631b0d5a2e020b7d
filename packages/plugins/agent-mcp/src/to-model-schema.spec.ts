import type { Json, JsonObject } from '@countersign/core/plugin';
import { expect } from 'chai';
import { toModelSchema } from './to-model-schema.js';
import { readOfferedTool } from './offered-tool.js';

describe('schemas of MCP tools', () => {
  const schemaOfA = (a: Json, rootKeywords: JsonObject = {}): JsonObject => ({
    type: 'object',
    properties: { a },
    ...rootKeywords,
  });

  describe('that violate the metaschema', () => {
    const CASES: readonly (readonly [place: string, JsonObject])[] = [
      ['/properties/a/type', schemaOfA({ type: 'any' })],
      ['/properties/a/type', schemaOfA({ type: 'int' })],
      ['/properties/a/type', schemaOfA({ type: [] })],
      ['/properties/a/type', schemaOfA({ type: ['string', { type: 'number' }] })],
      ['/type', schemaOfA({}, { type: ['object', 'dict'] })],
      ['/properties/a/enum', schemaOfA({ enum: 'a' })],
      ['/properties/a/minLength', schemaOfA({ minLength: '1' })],
      ['/properties/a/maxLength', schemaOfA({ maxLength: -1 })],
      ['/properties/a/minItems', schemaOfA({ minItems: 1.5 })],
      ['/properties/a/minimum', schemaOfA({ minimum: '1' })],
      ['/properties/a/exclusiveMaximum', schemaOfA({ exclusiveMaximum: [] })],
      ['/properties/a/multipleOf', schemaOfA({ multipleOf: 0 })],
      ['/properties/a/pattern', schemaOfA({ pattern: 5 })],
      ['/properties/a/uniqueItems', schemaOfA({ uniqueItems: 'true' })],
      ['/properties/a/anyOf', schemaOfA({ anyOf: [] })],
      ['/properties/a/oneOf', schemaOfA({ oneOf: { type: 'string' } })],
      ['/properties/a/items', schemaOfA({ items: 'string' })],
      ['/properties/a/not', schemaOfA({ not: [{}] })],
      ['/properties/a/$ref', schemaOfA({ $ref: {} })],
      ['/properties/a', schemaOfA('string')],
      ['/properties', { type: 'object', properties: [] }],
      ['/required', schemaOfA({}, { required: 'a' })],
      ['/required', schemaOfA({}, { required: ['a', 1] })],
      ['/additionalProperties', schemaOfA({}, { additionalProperties: 'no' })],
      ['/dependentRequired', schemaOfA({}, { dependentRequired: { a: 'b' } })],
      ['/dependencies', schemaOfA({}, { dependencies: { a: [5] } })],
      ['/dependencies/a', schemaOfA({}, { dependencies: { a: 'b' } })],
      ['/$defs', schemaOfA({}, { $defs: [] })],
      [
        '/$defs/a~1b/items/anyOf/1/type',
        schemaOfA({}, { $defs: { 'a/b': { items: { anyOf: [{}, { type: 'x' }] } } } }),
      ],
      [
        '/if/then/patternProperties/^x/type',
        schemaOfA({}, { if: { then: { patternProperties: { '^x': { type: 'x' } } } } }),
      ],
      ['/contains', schemaOfA({}, { contains: 5 })],
    ];
    for (const [location, inputSchema] of CASES) {
      it(`should be refused with the location of the error: ${JSON.stringify(inputSchema)}`, () => {
        expect(() => readOfferedTool({ name: 'act', inputSchema })).to.throw(
          `its input schema is not valid at ${location}: expected `,
        );
      });
    }

    it('should lose invalid annotations', () => {
      const invalidAnnotations: JsonObject = {
        ...{ title: {}, description: 5, $comment: [], format: 5, contentEncoding: 1, contentMediaType: {} },
        ...{ deprecated: 'yes', readOnly: 1, writeOnly: 'no', examples: 'x', $schema: 5, $id: {}, $anchor: 1 },
      };

      const { inputSchema } = readOfferedTool({
        name: 'act',
        inputSchema: { ...schemaOfA({ type: 'string', ...invalidAnnotations }), ...invalidAnnotations },
      });

      expect(inputSchema).to.deep.equal(schemaOfA({ type: 'string' }));
    });

    it('should be corrected if the meaning is unambiguous', () => {
      const { inputSchema } = readOfferedTool({
        name: 'act',
        inputSchema: schemaOfA(
          { type: ['string', 'string'], enum: ['x', 'y', 'x'], required: true, allOf: [], prefixItems: [] },
          { required: ['a', 'a'], dependentRequired: { a: ['b', 'b'] }, dependencies: { a: ['b', 'b'], b: true } },
        ),
      });

      expect(inputSchema).to.deep.equal(
        schemaOfA(
          { type: ['string'], enum: ['x', 'y'] },
          { required: ['a'], dependentRequired: { a: ['b'] }, dependencies: { a: ['b'], b: true } },
        ),
      );
    });
  });

  it('should stay unchanged if they are valid, including data and unknown keywords', () => {
    const oddValue = { type: 'any', required: 5, properties: [], anyOf: [], enum: 'x', description: 5, $id: 5 };
    const inputSchema = schemaOfA(
      {
        'const': oddValue,
        'default': oddValue,
        'examples': [oddValue],
        'enum': [oddValue, null],
        'x-data': oddValue,
        'nullable': 'yes',
      },
      { properties: { type: { type: 'string' }, required: true, $id: { type: 'string' } } },
    );

    expect(readOfferedTool({ name: 'act', inputSchema }).inputSchema).to.deep.equal(inputSchema);
  });

  it('should keep the keywords of earlier drafts', () => {
    const inputSchema = schemaOfA({
      items: [{ type: 'number', minimum: 1, exclusiveMinimum: true }, true],
      additionalItems: false,
    });

    expect(toModelSchema(inputSchema)).to.deep.equal(inputSchema);
  });

  it('should be refused if the property names on one path are too long together', () => {
    const nestedSchema = (name: string, depth: number): JsonObject =>
      depth === 0 ? {} : { type: 'object', properties: { [name]: nestedSchema(name, depth - 1) } };

    for (const inputSchema of [nestedSchema('x'.repeat(20_000), 1), nestedSchema('x'.repeat(150), 10)])
      expect(() => readOfferedTool({ name: 'act', inputSchema })).to.throw('more than 1500 characters in total');
    expect(() => readOfferedTool({ name: 'act', inputSchema: nestedSchema('x'.repeat(100), 10) })).not.to.throw();
  });
});
