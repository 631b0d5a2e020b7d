import type { Json, JsonObject } from '@countersign/core/plugin';
import { expect } from 'chai';
import { toModelSchema } from './to-model-schema.js';
import { readOfferedTool } from './offered-tool.js';

describe('schemas of MCP tools', () => {
  const createSchemaWithA = (a: Json, rootKeywords: JsonObject = {}): JsonObject => ({
    type: 'object',
    properties: { a },
    ...rootKeywords,
  });

  describe('that violate the metaschema', () => {
    const CASES: readonly (readonly [location: string, JsonObject])[] = [
      ['/properties/a/type', createSchemaWithA({ type: 'any' })],
      ['/properties/a/type', createSchemaWithA({ type: 'int' })],
      ['/properties/a/type', createSchemaWithA({ type: [] })],
      ['/properties/a/type', createSchemaWithA({ type: ['string', { type: 'number' }] })],
      ['/type', createSchemaWithA({}, { type: ['object', 'dict'] })],
      ['/properties/a/enum', createSchemaWithA({ enum: 'a' })],
      ['/properties/a/minLength', createSchemaWithA({ minLength: '1' })],
      ['/properties/a/maxLength', createSchemaWithA({ maxLength: -1 })],
      ['/properties/a/minItems', createSchemaWithA({ minItems: 1.5 })],
      ['/properties/a/minimum', createSchemaWithA({ minimum: '1' })],
      ['/properties/a/exclusiveMaximum', createSchemaWithA({ exclusiveMaximum: [] })],
      ['/properties/a/multipleOf', createSchemaWithA({ multipleOf: 0 })],
      ['/properties/a/pattern', createSchemaWithA({ pattern: 5 })],
      ['/properties/a/uniqueItems', createSchemaWithA({ uniqueItems: 'true' })],
      ['/properties/a/anyOf', createSchemaWithA({ anyOf: [] })],
      ['/properties/a/oneOf', createSchemaWithA({ oneOf: { type: 'string' } })],
      ['/properties/a/items', createSchemaWithA({ items: 'string' })],
      ['/properties/a/not', createSchemaWithA({ not: [{}] })],
      ['/properties/a/$ref', createSchemaWithA({ $ref: {} })],
      ['/properties/a', createSchemaWithA('string')],
      ['/properties', { type: 'object', properties: [] }],
      ['/required', createSchemaWithA({}, { required: 'a' })],
      ['/required', createSchemaWithA({}, { required: ['a', 1] })],
      ['/additionalProperties', createSchemaWithA({}, { additionalProperties: 'no' })],
      ['/dependentRequired', createSchemaWithA({}, { dependentRequired: { a: 'b' } })],
      ['/dependencies', createSchemaWithA({}, { dependencies: { a: [5] } })],
      ['/dependencies/a', createSchemaWithA({}, { dependencies: { a: 'b' } })],
      ['/$defs', createSchemaWithA({}, { $defs: [] })],
      [
        '/$defs/a~1b/items/anyOf/1/type',
        createSchemaWithA({}, { $defs: { 'a/b': { items: { anyOf: [{}, { type: 'x' }] } } } }),
      ],
      [
        '/if/then/patternProperties/^x/type',
        createSchemaWithA({}, { if: { then: { patternProperties: { '^x': { type: 'x' } } } } }),
      ],
      ['/contains', createSchemaWithA({}, { contains: 5 })],
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
        inputSchema: { ...createSchemaWithA({ type: 'string', ...invalidAnnotations }), ...invalidAnnotations },
      });

      expect(inputSchema).to.deep.equal(createSchemaWithA({ type: 'string' }));
    });

    it('should be corrected if the meaning is unambiguous', () => {
      const { inputSchema } = readOfferedTool({
        name: 'act',
        inputSchema: createSchemaWithA(
          { type: ['string', 'string'], enum: ['x', 'y', 'x'], required: true, allOf: [], prefixItems: [] },
          { required: ['a', 'a'], dependentRequired: { a: ['b', 'b'] }, dependencies: { a: ['b', 'b'], b: true } },
        ),
      });

      expect(inputSchema).to.deep.equal(
        createSchemaWithA(
          { type: ['string'], enum: ['x', 'y'] },
          { required: ['a'], dependentRequired: { a: ['b'] }, dependencies: { a: ['b'], b: true } },
        ),
      );
    });
  });

  it('should stay unchanged if they are valid, including data and unknown keywords', () => {
    const oddValue = { type: 'any', required: 5, properties: [], anyOf: [], enum: 'x', description: 5, $id: 5 };
    const inputSchema = createSchemaWithA(
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
    const inputSchema = createSchemaWithA({
      items: [{ type: 'number', minimum: 1, exclusiveMinimum: true }, true],
      additionalItems: false,
    });

    expect(toModelSchema(inputSchema)).to.deep.equal(inputSchema);
  });

  it('should be refused if the property names on one path are too long in total', () => {
    const nestedSchema = (name: string, depth: number): JsonObject =>
      depth === 0 ? {} : { type: 'object', properties: { [name]: nestedSchema(name, depth - 1) } };

    for (const inputSchema of [nestedSchema('x'.repeat(20_000), 1), nestedSchema('x'.repeat(150), 10)])
      expect(() => readOfferedTool({ name: 'act', inputSchema })).to.throw('more than 1500 characters in total');
    expect(() => readOfferedTool({ name: 'act', inputSchema: nestedSchema('x'.repeat(100), 10) })).not.to.throw();
  });
});
