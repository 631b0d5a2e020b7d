import type { Json, JsonObject } from '@countersign/core/plugin';
import { expect } from 'chai';
import { createArgumentsValidator } from './create-arguments-validator.js';
import { readOfferedTool } from './offered-tool.js';

describe('references in schemas of MCP tools', () => {
  const text: JsonObject = { type: 'string' };
  const isAccepted = (schema: JsonObject, args: Json): boolean => 'arguments' in createArgumentsValidator(schema)(args);

  const SCHEMAS: Readonly<Record<string, JsonObject>> = {
    'a pointer': { $defs: { text }, properties: { q: { $ref: '#/$defs/text' } } },
    'a percent-encoded pointer': {
      $defs: { 'List<Text>': text },
      properties: { q: { $ref: '#/$defs/List%3CText%3E' } },
    },
    'a pointer without the required encoding': {
      $defs: { '100%': text, '<': { type: 'number' }, '%3E': text },
      properties: { q: { allOf: [{ $ref: '#/$defs/100%' }, { $ref: '#/$defs/%3E' }] } },
    },
    'a pointer with escaped characters': {
      $defs: { 'a/b~c': text },
      properties: { q: { $ref: '#/$defs/a~1b~0c' } },
    },
    'an anchor': { $defs: { any: { $anchor: 'text', ...text } }, properties: { q: { $ref: '#text' } } },
    'an anchor of earlier drafts': {
      definitions: { any: { $id: '#text', ...text } },
      properties: { q: { $ref: '#text' } },
    },
    'the id of the schema and a pointer': {
      $id: 'https://example.org/q',
      $defs: { text },
      properties: { q: { $ref: 'https://example.org/q#/$defs/text' } },
    },
    'the id of a subschema': {
      $id: 'https://example.org/q',
      $defs: { any: { $id: 'text', ...text } },
      properties: { q: { $ref: 'https://example.org/text' } },
    },
    'a pointer within a subschema that has an id': {
      $defs: { any: { $id: 'https://example.org/part', $defs: { text }, properties: { q: { $ref: '#/$defs/text' } } } },
      $ref: 'https://example.org/part',
    },
  };
  for (const [description, schema] of Object.entries(SCHEMAS)) {
    it(`should be resolved: ${description}`, () => {
      expect(isAccepted(schema, { q: 'x' })).to.equal(true);
      expect(isAccepted(schema, { q: 1 })).to.equal(false);
    });

    it(`should be rewritten as equivalent pointers from the root: ${description}`, () => {
      const { inputSchema } = readOfferedTool({ name: 'find', inputSchema: { type: 'object', ...schema } });

      const schemaJson = JSON.stringify(inputSchema);
      expect(schemaJson).not.to.match(/"\$(id|anchor)":"/);
      for (const [, reference] of schemaJson.matchAll(/"\$ref":"([^"]*)"/g)) expect(reference).to.match(/^#(\/|$)/);
      expect(isAccepted(inputSchema, { q: 'x' })).to.equal(true);
      expect(isAccepted(inputSchema, { q: 1 })).to.equal(false);
    });
  }

  it('should ignore ids in data and unknown keywords, and properties named like a keyword', () => {
    const part = { $id: 'https://example.org/r', type: 'string' };
    const schema: JsonObject = {
      'x-meta': { $id: 'https://example.org/r', type: 'number' },
      '$defs': { part, item: { $anchor: 'item', type: 'string' } },
      'properties': { q: { $ref: 'https://example.org/r' }, default: { $ref: '#item' } },
    };

    expect(isAccepted(schema, { q: 'x', default: 'y' })).to.equal(true);
    expect(isAccepted(schema, { q: 1 })).to.equal(false);
    expect(isAccepted(schema, { default: 1 })).to.equal(false);
  });

  it('should keep their meaning when the rewritten schema is read again', () => {
    const schema = {
      type: 'object',
      $defs: { 'a%20b': { type: 'string' }, 'a b': { type: 'number' } },
      properties: { q: { $ref: '#/$defs/a%2520b' } },
    };

    const { inputSchema } = readOfferedTool({ name: 'find', inputSchema: schema });

    expect([isAccepted(inputSchema, { q: 'x' }), isAccepted(inputSchema, { q: 1 })]).to.deep.equal([true, false]);
  });

  it('should be refused if they are too long', () => {
    const $id = `https://example.org/${'x'.repeat(3_000)}`;

    expect(() => createArgumentsValidator({ $id, properties: { q: { $ref: '#' } } })).to.throw(
      'more than 2000 characters',
    );
  });

  for (const [description, $ref] of Object.entries({
    'another document': 'https://example.org/other',
    'a missing definition': '#/$defs/none',
    'a missing anchor': '#none',
    'an inherited property': '#/constructor',
    'an invalid escape': '#/%E0%A4%A',
    'an anchor within data': '#data',
  })) {
    it(`should be refused if they lead to ${description}`, () => {
      const schema = { properties: { q: { $ref }, r: { default: { $anchor: 'data' } } } };

      expect(() => createArgumentsValidator(schema)).to.throw(/refer/);
    });
  }

  describe('to a schema outside the schema keywords', () => {
    const readInputSchema = (keywords: JsonObject): JsonObject =>
      readOfferedTool({ name: 'act', inputSchema: { type: 'object', ...keywords } }).inputSchema;
    const issue: JsonObject = {
      properties: { title: text, children: { items: { $ref: '#/components/schemas/Issue' } } },
      required: ['title'],
    };

    it('should become references to a definition, also in a recursive schema', () => {
      const schema = readInputSchema({
        properties: { body: { $ref: '#/components/schemas/Issue' }, more: { $ref: '#/components/schemas/Issue' } },
        components: { schemas: { Issue: issue, Unused: {} }, securitySchemes: {} },
      });

      expect(schema).to.deep.equal({
        type: 'object',
        properties: { body: { $ref: '#/$defs/Issue' }, more: { $ref: '#/$defs/Issue' } },
        $defs: { Issue: { ...issue, properties: { title: text, children: { items: { $ref: '#/$defs/Issue' } } } } },
      });
      expect(isAccepted(schema, { body: { title: 'x' } })).to.equal(true);
      expect(isAccepted(schema, { body: {} })).to.equal(false);
    });

    it('should become a reference to a definition at the root', () => {
      const schema = readInputSchema({ $ref: '#/components/schemas/Issue', components: { schemas: { Issue: issue } } });

      expect(schema).to.deep.include({ $ref: '#/$defs/Issue' }).and.not.to.have.property('components');
      expect(isAccepted(schema, {})).to.equal(false);
    });

    it('should get definition names that are not in use', () => {
      const schema = readInputSchema({
        $defs: { 'Issue': { type: 'number' }, 'Issue-2': text, 'a-b': true },
        properties: {
          a: { $ref: '#/one/Issue' },
          b: { $ref: '#/two/Issue' },
          c: { $ref: '#/two/a%5Bb' },
          d: { $ref: '#/$defs/Issue' },
        },
        one: { Issue: { const: 1 } },
        two: { 'Issue': { const: 2 }, 'a[b': { const: 3 } },
      });

      expect(schema['$defs']).to.deep.equal({
        'Issue': { type: 'number' },
        'Issue-2': text,
        'a-b': true,
        'Issue-3': { const: 1 },
        'Issue-4': { const: 2 },
        'a-b-5': { const: 3 },
      });
      expect(isAccepted(schema, { a: 1, b: 2, c: 3, d: 4 })).to.equal(true);
      for (const name of ['a', 'b', 'c', 'd']) expect(isAccepted(schema, { [name]: 'x' }), name).to.equal(false);
    });

    it('should be resolved inside moved schemas, and to parts of them', () => {
      const schema = readInputSchema({
        properties: {
          a: { $ref: '#/x/Part/properties/text' },
          b: { $ref: '#/x/Part' },
          c: { $ref: '#/x/Part/properties/other' },
          d: { $ref: '#/x/no' },
        },
        x: { Part: { properties: { text, other: { $ref: '#/x/Other' } } }, Other: { type: 'number' }, no: false },
      });

      expect(schema['$defs']).to.deep.equal({
        text,
        Part: { properties: { text: { $ref: '#/$defs/text' }, other: { $ref: '#/$defs/Other' } } },
        no: false,
        Other: { type: 'number' },
      });
      expect(isAccepted(schema, { a: 'x', b: { text: 'x', other: 1 }, c: 1 })).to.equal(true);
      for (const invalidArgs of [{ a: 1 }, { b: { text: 1 } }, { b: { other: 'x' } }, { c: 'x' }, { d: 1 }] as Json[])
        expect(isAccepted(schema, invalidArgs), JSON.stringify(invalidArgs)).to.equal(false);
    });

    it('should not move the data that they lead to', () => {
      const example = { type: 'number' };

      expect(
        readInputSchema({ properties: { a: { default: example }, b: { $ref: '#/properties/a/default' } } }),
      ).to.deep.equal({
        type: 'object',
        properties: { a: { default: example }, b: { $ref: '#/$defs/default' } },
        $defs: { default: example },
      });
    });

    it('should be refused with the location if the target is not a valid schema', () => {
      const properties = { a: { $ref: '#/components/schemas/A' } };

      expect(() => readInputSchema({ properties, components: { schemas: { A: 'text' } } })).to.throw(
        'not valid at /components/schemas/A: expected a schema',
      );
      expect(() =>
        readInputSchema({ properties, components: { schemas: { A: { items: { type: 'any' } } } } }),
      ).to.throw('not valid at /components/schemas/A/items/type: expected');
    });

    it('should be refused if they lead to too much content in total', () => {
      const nestedSchema = (depth: number): JsonObject =>
        depth === 0 ? { x: 'x'.repeat(30_000) } : { n: nestedSchema(depth - 1) };
      const pointers = Array.from({ length: 20 }, (_, depth) => `#/y${'/n'.repeat(depth)}`);

      expect(() => readInputSchema({ anyOf: pointers.map(($ref) => ({ $ref })), y: nestedSchema(25) })).to.throw(
        'too large with its references expanded',
      );
    });
  });

  it('should drop keywords that are null, and default the type to object', () => {
    const inputSchema = {
      type: null,
      required: null,
      properties: { q: { type: 'string', enum: null, description: null, default: null }, r: { const: null } },
      additionalProperties: null,
    };

    const { inputSchema: offeredSchema } = readOfferedTool({ name: 'find', inputSchema });

    expect(offeredSchema).to.deep.equal({
      type: 'object',
      properties: { q: { type: 'string', default: null }, r: { const: null } },
    });
    expect(isAccepted(offeredSchema, { q: 'x', r: null })).to.equal(true);
    expect(isAccepted(offeredSchema, { q: 1 })).to.equal(false);
    expect(readOfferedTool({ name: 'find', inputSchema: { type: ['object', 'null'] } }).inputSchema).to.eql({
      type: 'object',
    });
    expect(() => readOfferedTool({ name: 'find', inputSchema: { type: 'array' } })).to.throw(
      'does not describe an object',
    );
  });
});
