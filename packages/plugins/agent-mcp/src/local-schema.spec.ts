import type { Json, JsonObject } from '@countersign/core/plugin';
import { expect } from 'chai';
import { localSchema } from './local-schema.js';
import { readOfferedTool } from './offered-tool.js';

describe('schemas of MCP tools', () => {
  const ofA = (a: Json, more: JsonObject = {}): JsonObject => ({ type: 'object', properties: { a }, ...more });

  describe('that violate the metaschema', () => {
    const CASES: readonly (readonly [place: string, JsonObject])[] = [
      ['/properties/a/type', ofA({ type: 'any' })],
      ['/properties/a/type', ofA({ type: 'int' })],
      ['/properties/a/type', ofA({ type: [] })],
      ['/properties/a/type', ofA({ type: ['string', { type: 'number' }] })],
      ['/type', ofA({}, { type: ['object', 'dict'] })],
      ['/properties/a/enum', ofA({ enum: 'a' })],
      ['/properties/a/minLength', ofA({ minLength: '1' })],
      ['/properties/a/maxLength', ofA({ maxLength: -1 })],
      ['/properties/a/minItems', ofA({ minItems: 1.5 })],
      ['/properties/a/minimum', ofA({ minimum: '1' })],
      ['/properties/a/exclusiveMaximum', ofA({ exclusiveMaximum: [] })],
      ['/properties/a/multipleOf', ofA({ multipleOf: 0 })],
      ['/properties/a/pattern', ofA({ pattern: 5 })],
      ['/properties/a/uniqueItems', ofA({ uniqueItems: 'true' })],
      ['/properties/a/anyOf', ofA({ anyOf: [] })],
      ['/properties/a/oneOf', ofA({ oneOf: { type: 'string' } })],
      ['/properties/a/items', ofA({ items: 'string' })],
      ['/properties/a/not', ofA({ not: [{}] })],
      ['/properties/a/$ref', ofA({ $ref: {} })],
      ['/properties/a', ofA('string')],
      ['/properties', { type: 'object', properties: [] }],
      ['/required', ofA({}, { required: 'a' })],
      ['/required', ofA({}, { required: ['a', 1] })],
      ['/additionalProperties', ofA({}, { additionalProperties: 'no' })],
      ['/dependentRequired', ofA({}, { dependentRequired: { a: 'b' } })],
      ['/dependencies', ofA({}, { dependencies: { a: [5] } })],
      ['/dependencies/a', ofA({}, { dependencies: { a: 'b' } })],
      ['/$defs', ofA({}, { $defs: [] })],
      ['/$defs/a~1b/items/anyOf/1/type', ofA({}, { $defs: { 'a/b': { items: { anyOf: [{}, { type: 'x' }] } } } })],
      ['/if/then/patternProperties/^x/type', ofA({}, { if: { then: { patternProperties: { '^x': { type: 'x' } } } } })],
      ['/contains', ofA({}, { contains: 5 })],
    ];
    for (const [place, inputSchema] of CASES) {
      it(`should be refused with the location of the error: ${JSON.stringify(inputSchema)}`, () => {
        expect(() => readOfferedTool({ name: 'act', inputSchema })).to.throw(
          `its input schema is not valid at ${place}: expected `,
        );
      });
    }

    it('should lose invalid annotations', () => {
      const wrong: JsonObject = {
        ...{ title: {}, description: 5, $comment: [], format: 5, contentEncoding: 1, contentMediaType: {} },
        ...{ deprecated: 'yes', readOnly: 1, writeOnly: 'no', examples: 'x', $schema: 5, $id: {}, $anchor: 1 },
      };

      const { inputSchema } = readOfferedTool({
        name: 'act',
        inputSchema: { ...ofA({ type: 'string', ...wrong }), ...wrong },
      });

      expect(inputSchema).to.deep.equal(ofA({ type: 'string' }));
    });

    it('should be corrected if the meaning is unambiguous', () => {
      const { inputSchema } = readOfferedTool({
        name: 'act',
        inputSchema: ofA(
          { type: ['string', 'string'], enum: ['x', 'y', 'x'], required: true, allOf: [], prefixItems: [] },
          { required: ['a', 'a'], dependentRequired: { a: ['b', 'b'] }, dependencies: { a: ['b', 'b'], b: true } },
        ),
      });

      expect(inputSchema).to.deep.equal(
        ofA(
          { type: ['string'], enum: ['x', 'y'] },
          { required: ['a'], dependentRequired: { a: ['b'] }, dependencies: { a: ['b'], b: true } },
        ),
      );
    });
  });

  it('should stay unchanged if they are valid, including data and unknown keywords', () => {
    const odd = { type: 'any', required: 5, properties: [], anyOf: [], enum: 'x', description: 5, $id: 5 };
    const inputSchema = ofA(
      { 'const': odd, 'default': odd, 'examples': [odd], 'enum': [odd, null], 'x-data': odd, 'nullable': 'yes' },
      { properties: { type: { type: 'string' }, required: true, $id: { type: 'string' } } },
    );

    expect(readOfferedTool({ name: 'act', inputSchema }).inputSchema).to.deep.equal(inputSchema);
  });

  it('should keep the keywords of earlier drafts', () => {
    const inputSchema = ofA({
      items: [{ type: 'number', minimum: 1, exclusiveMinimum: true }, true],
      additionalItems: false,
    });

    expect(localSchema(inputSchema)).to.deep.equal(inputSchema);
  });

  it('should be refused if the property names on one path are too long together', () => {
    const nested = (name: string, depth: number): JsonObject =>
      depth === 0 ? {} : { type: 'object', properties: { [name]: nested(name, depth - 1) } };

    for (const inputSchema of [nested('x'.repeat(20_000), 1), nested('x'.repeat(150), 10)])
      expect(() => readOfferedTool({ name: 'act', inputSchema })).to.throw('more than 1500 characters in total');
    expect(() => readOfferedTool({ name: 'act', inputSchema: nested('x'.repeat(100), 10) })).not.to.throw();
  });
});
