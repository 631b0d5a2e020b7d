import type { Json, JsonObject } from '@countersign/model';
import { seconds } from '@countersign/model/testing';
import { expect } from 'chai';
import type { AgentTool } from '../../contributions/tool-source.js';
import { toModelArguments, fromModelArguments, toModelMessage, toModelTool } from './model-tools.js';
import { ModelPropertyNames } from './model-property-names.js';

const modelPropertyName = (name: string): string => new ModelPropertyNames().add(name);

describe('tool definitions for language models', () => {
  const tool = (inputSchema: JsonObject, description = 'Finds.'): AgentTool =>
    ({ name: 'mcp.crm.find', description, inputSchema }) as unknown as AgentTool;
  /** Returns whether every model API accepts the schema of a tool. */
  const isAcceptedByEveryApi = ({ oneOf, anyOf, allOf, not, $ref, type, properties = {} }: JsonObject): boolean =>
    [oneOf, anyOf, allOf, not, $ref].every((each) => each === undefined) &&
    type === 'object' &&
    Object.keys(properties as JsonObject).every((name) => /^[a-zA-Z0-9_.-]{1,64}$/.test(name));

  it('should not change a schema that every API accepts', () => {
    const inputSchema: JsonObject = {
      type: 'object',
      properties: { q: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/n' }] } },
      required: ['q'],
      $defs: { n: { type: 'number' } },
    };

    expect(toModelTool(tool(inputSchema))).to.deep.equal({ name: 'mcp_crm_find', description: 'Finds.', inputSchema });
  });

  describe('with alternatives at the top level', () => {
    const id = { type: 'string' };
    const baseSchema: JsonObject = { type: 'object', properties: { id, name: { type: 'string' } } };

    it('should merge all properties, require only the common ones, and describe the alternatives in text', () => {
      const { inputSchema, description } = toModelTool(
        tool({ ...baseSchema, oneOf: [{ required: ['id', 'q'] }, { required: ['name', 'q'], properties: { q: id } }] }),
      );

      expect(inputSchema).to.deep.equal({
        type: 'object',
        properties: { id, name: { type: 'string' }, q: id },
        required: ['q'],
      });
      expect(description).to.match(/^Finds\.\n\nThe arguments must also match this JSON Schema: \{"oneOf":\[/);
    });

    it('should require all properties that the combined subschemas require', () => {
      const { inputSchema } = toModelTool(
        tool({
          type: 'object',
          allOf: [
            { properties: { a: id }, required: ['a'] },
            { $ref: '#/$defs/b' },
            { anyOf: [{ required: ['c'] }, { required: ['c', 'd'] }] },
          ],
          $defs: { b: { properties: { b: id }, required: ['b'] } },
        }),
      );

      expect(inputSchema).to.deep.include({ properties: { a: id, b: id }, required: ['a', 'b', 'c'] });
    });

    it('should join the different schemas of a property with anyOf', () => {
      const otherSchema = { type: 'number' };
      const { inputSchema } = toModelTool(
        tool({
          type: 'object',
          oneOf: [{ properties: { a: id } }, { properties: { a: otherSchema } }, { properties: { a: id } }],
        }),
      );

      expect(inputSchema).to.deep.equal({ type: 'object', properties: { a: { anyOf: [id, otherSchema] } } });
    });

    it('should resolve a reference at the top level', () => {
      const { inputSchema } = toModelTool(
        tool({ type: 'object', $ref: '#/$defs/all', $defs: { all: { properties: { a: id }, required: ['a'] } } }),
      );

      expect(inputSchema).to.deep.include({ properties: { a: id }, required: ['a'] });
      expect(isAcceptedByEveryApi(inputSchema)).to.equal(true);
    });

    for (const [caseName, keywords] of Object.entries({
      'nested combined subschemas': { anyOf: [{ oneOf: [{ allOf: [{ properties: { z: id } }] }] }] },
      'a schema that references itself': { allOf: [{ $ref: '#' }] },
      'conditions': { if: { required: ['id'] }, then: { required: ['name'] }, else: false },
      'values that are not schemas': { oneOf: 'x', allOf: [null, 1, true], $ref: 7 },
      'long alternatives': { oneOf: Array.from({ length: 500 }, (_, n) => ({ required: [`property${n}`] })) },
    } as Record<string, JsonObject>)) {
      it(`should produce a schema that every API accepts for ${caseName}`, () => {
        const { inputSchema, description } = toModelTool(tool({ ...baseSchema, ...keywords }));

        expect(isAcceptedByEveryApi(inputSchema), JSON.stringify(inputSchema)).to.equal(true);
        expect(description).to.have.length.below(2_200);
      });
    }
  });

  describe('with references into merged subschemas', () => {
    const resolveReference = (schema: JsonObject, reference: string): Json | undefined => {
      let current: Json | undefined = schema;
      for (const part of reference.slice(1).split('/').slice(1))
        current = (current as JsonObject | undefined)?.[
          decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
        ];
      return current;
    };

    for (const [caseName, schema] of Object.entries({
      'an alternative': {
        anyOf: [
          { properties: { from: { type: 'string' } } },
          { properties: { to: { $ref: '#/anyOf/0/properties/from' } } },
        ],
      },
      'a property within a property with two merged schemas': {
        properties: { a: { properties: { b: { type: 'string' } } }, c: { $ref: '#/properties/a/properties/b' } },
        allOf: [{ properties: { a: { required: ['b'] } } }],
      },
      'the whole schema': { properties: { child: { $ref: '#' } }, oneOf: [{ required: ['child'] }, {}] },
      'a renamed property': {
        properties: { 'a[]': { type: 'string' }, 'b': { $ref: '#/properties/a[]' } },
        anyOf: [{ required: ['a[]'] }, { required: ['b'] }],
      },
      'properties named like keywords': {
        properties: { properties: { $ref: '#/$defs/properties' }, default: { $ref: '#/$defs/default' } },
        $defs: { properties: { $ref: '#/$defs/default' }, default: { properties: { 'a b': { type: 'string' } } } },
      },
      'an encoded name': { properties: { a: { $ref: '#/$defs/x%2520y' } }, $defs: { 'x%20y': { type: 'string' } } },
    } as Record<string, JsonObject>)) {
      it(`should keep references to ${caseName} resolvable`, () => {
        const { inputSchema } = toModelTool(tool({ type: 'object', ...schema }));

        const references = [...JSON.stringify(inputSchema).matchAll(/"\$ref":"([^"]*)"/g)].map(([, each]) => each!);
        expect(references).not.to.be.empty;
        for (const each of references) expect(resolveReference(inputSchema, each), each).to.be.an('object');
        expect(isAcceptedByEveryApi(inputSchema)).to.equal(true);
      });
    }
  });

  it('should convert schemas of older JSON Schema drafts to the current notation', () => {
    const { inputSchema } = toModelTool(
      tool({
        type: 'object',
        $schema: 'http://json-schema.org/draft-04/schema#',
        id: 'http://example.org/x',
        properties: {
          list: { type: 'array' },
          pair: { type: 'array', items: [{ type: 'string' }, true], additionalItems: false },
          above: { type: 'number', minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
          must: { type: 'string', required: true },
          never: false,
          node: { $dynamicRef: '#node', $dynamicAnchor: 'node' },
          tuple: { type: 'array', items: [], additionalItems: { type: 'string' } },
          no: { type: 'string', enum: [] },
          never2: { $ref: '#/properties/never' },
        },
        dependencies: { 'list': ['pair'], 'must[]': ['a b'], 'pair': { required: ['list'] } },
        definitions: {
          part: { $ref: '#/dependencies/pair' },
          first: { $ref: '#/properties/pair/items/0' },
          others: { $ref: '#/properties/tuple/additionalItems' },
        },
      }),
    );

    expect(inputSchema).to.deep.equal({
      type: 'object',
      properties: {
        list: { type: 'array', items: {} },
        pair: { type: 'array', prefixItems: [{ type: 'string' }, {}], items: { not: {} } },
        above: { type: 'number', exclusiveMinimum: 1, maximum: 9 },
        must: { type: 'string' },
        never: { not: {} },
        node: {},
        tuple: { type: 'array', items: { type: 'string' } },
        no: { type: 'string', not: {} },
        never2: { $ref: '#/properties/never' },
      },
      dependentRequired: { list: ['pair'], [modelPropertyName('must[]')]: [modelPropertyName('a b')] },
      dependentSchemas: { pair: { required: ['list'] } },
      definitions: {
        part: { $ref: '#/dependentSchemas/pair' },
        first: { $ref: '#/properties/pair/prefixItems/0' },
        others: { $ref: '#/properties/tuple/items' },
      },
    });
    expect(toModelTool(tool({ type: 'object' })).inputSchema).to.deep.equal({ type: 'object', properties: {} });
    expect(toModelTool(tool({ type: 'object', enum: [{}] })).inputSchema).not.to.have.property('enum');
  });

  it('should allow the properties of conditional subschemas without requiring them', () => {
    const { inputSchema } = toModelTool(
      tool({
        type: 'object',
        properties: { kind: { type: 'string' } },
        if: { properties: { kind: { const: 'x' } } },
        then: { properties: { extra: { type: 'string' } }, required: ['extra'] },
        dependentSchemas: { kind: { properties: { more: { type: 'number' } } } },
        unevaluatedProperties: false,
        additionalProperties: false,
      }),
    );

    expect(inputSchema).to.deep.equal({
      type: 'object',
      properties: { kind: { type: 'string' }, extra: { type: 'string' }, more: { type: 'number' } },
    });
  });

  it('should limit the description to the 1,024 characters that every API accepts', () => {
    const schema: JsonObject = { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] };

    const { description } = toModelTool(tool(schema, 'x'.repeat(4_000)));

    expect(description)
      .to.have.length.at.most(1_024)
      .and.to.match(/must also match this JSON Schema/);
  });

  it('should process hostile schemas and large arguments in limited time', () => {
    const createList = (count: number, createItem: (index: number) => Json): Json[] =>
      Array.from({ length: count }, (_, n) => createItem(n));
    const hostileSchemas: JsonObject[] = [
      { type: 'object', allOf: createList(500, () => ({ $ref: '#' })) },
      {
        type: 'object',
        $ref: '#/$defs/a0',
        $defs: Object.fromEntries(
          createList(40, (n) => n).map((n) => [
            `a${String(n)}`,
            { anyOf: createList(2, () => ({ $ref: `#/$defs/a${Number(n) + 1}` })) },
          ]),
        ),
      },
      {
        type: 'object',
        oneOf: createList(2_000, (n) => ({ required: [`p${String(n)}`], properties: { [`p ${String(n)}`]: {} } })),
      },
    ];
    const wideSchema: JsonObject = {
      type: 'object',
      properties: {
        list: {
          type: 'array',
          items: {
            type: 'object',
            properties: Object.fromEntries(createList(2_000, (n) => n).map((n) => [`a ${String(n)}`, {}])),
          },
        },
      },
    };
    const startedAt = performance.now();

    for (const schema of hostileSchemas)
      expect(isAcceptedByEveryApi(toModelTool(tool(schema)).inputSchema)).to.equal(true);
    fromModelArguments(tool(wideSchema), { list: createList(60_000, () => ({})) });

    expect(performance.now() - startedAt).to.be.below(seconds(2));
  });

  describe('with property names that APIs refuse', () => {
    const inputSchema: JsonObject = {
      type: 'object',
      properties: {
        'filter[name]': { type: 'string', description: 'Part of the name.' },
        '$top': { type: 'integer' },
        'plain': { type: 'string' },
        'sort': { type: 'array', items: { type: 'object', properties: { 'by:field': { type: 'string' } } } },
        'nested': { $ref: '#/$defs/Nested' },
        'free': { type: 'object', additionalProperties: { properties: { 'a b': { type: 'string' } } } },
      },
      required: ['filter[name]'],
      dependentRequired: { $top: ['filter[name]'] },
      $defs: { Nested: { properties: { 'x/y': { type: 'string' }, 'z': { $ref: '#/properties/filter[name]' } } } },
    };
    const originalArguments: JsonObject = {
      'filter[name]': 'Ada',
      '$top': 5,
      'plain': 'x',
      'sort': [{ 'by:field': 'name' }, { other: 1 }],
      'nested': { 'x/y': '1' },
      'free': { 'any [key]': { 'a b': 'c' } },
    };

    it('should replace refused names at any depth and state the original names in descriptions', () => {
      const { inputSchema: modelSchema } = toModelTool(tool(inputSchema));

      expect(isAcceptedByEveryApi(modelSchema)).to.equal(true);
      const properties = modelSchema['properties'] as Record<string, JsonObject>;
      const filter = modelPropertyName('filter[name]');
      expect(filter).to.match(/^filter_name__[0-9a-f]{12}$/);
      expect(modelSchema['required']).to.deep.equal([filter]);
      expect(modelSchema['dependentRequired']).to.deep.equal({ [modelPropertyName('$top')]: [filter] });
      expect(properties[filter]).to.deep.equal({
        type: 'string',
        description: 'The original property name is "filter[name]". Part of the name.',
      });
      expect(JSON.stringify(modelSchema))
        .to.include(`"$ref":"#/properties/${filter}"`)
        .and.not.to.include('"by:field":');
    });

    it('should use the new names in the arguments of earlier calls, and convert arguments back to the original names', () => {
      const modelArguments = toModelArguments(tool(inputSchema), originalArguments);

      expect(Object.keys(modelArguments as JsonObject)).to.deep.equal([
        modelPropertyName('filter[name]'),
        modelPropertyName('$top'),
        'plain',
        'sort',
        'nested',
        'free',
      ]);
      expect(modelArguments).to.deep.nested.include({ [`sort[0].${modelPropertyName('by:field')}`]: 'name' });
      expect(fromModelArguments(tool(inputSchema), modelArguments)).to.deep.equal(originalArguments);
      expect(
        fromModelArguments(tool(inputSchema), originalArguments),
        'the language model may use the original names',
      ).to.deep.equal(originalArguments);
    });

    it('should rename properties in default, example, enum and const values, and keep references', () => {
      const originalTop = { $top: 5 };
      const { inputSchema: modelSchema } = toModelTool(
        tool({
          type: 'object',
          properties: {
            'a b': { $ref: '#/$defs/o' },
            'o': {
              default: originalTop,
              examples: [originalTop, { other: originalTop }],
              enum: [originalTop, null],
              const: originalTop,
            },
            'propertyNames': { type: 'object', propertyNames: { pattern: 'x' } },
          },
          patternProperties: { '^x': { required: ['$top'] } },
          $defs: { o: { properties: { $top: { type: 'integer' } }, default: '$top' } },
        }),
      );

      const renamedTop = { [modelPropertyName('$top')]: 5 };
      expect(modelSchema['properties']).to.deep.equal({
        [modelPropertyName('a b')]: { $ref: '#/$defs/o', description: 'The original property name is "a b".' },
        o: {
          default: renamedTop,
          examples: [renamedTop, { other: renamedTop }],
          enum: [renamedTop, null],
          const: renamedTop,
        },
        propertyNames: { type: 'object' },
      });
      expect(modelSchema['patternProperties']).to.deep.equal({ '^x': { required: [modelPropertyName('$top')] } });
      expect(modelSchema).to.have.nested.property('$defs.o.default', '$top');
    });

    it('should rename properties in messages, both in quotes and in JSON pointers', () => {
      const renamingTool = tool({
        type: 'object',
        properties: { 'a[b]': {}, 'a[b]/c': { properties: { 'x~y': {}, 'plain': {} } }, '': {} },
      });

      for (const [message, expected] of [
        ['At /a[b]: no.', `At /${modelPropertyName('a[b]')}: no.`],
        ['At /a[b]~1c/x~0y/plain: no.', `At /${modelPropertyName('a[b]/c')}/${modelPropertyName('x~y')}/plain: no.`],
        ['/a[b]/a[b]', `/${modelPropertyName('a[b]')}/${modelPropertyName('a[b]')}`],
        [
          'Property "a[b]/c" and "a[b]".',
          `Property "${modelPropertyName('a[b]/c')}" and "${modelPropertyName('a[b]')}".`,
        ],
        ['At /: no a[b], nor "a[b]c", /a[b]c: or ""', 'At /: no a[b], nor "a[b]c", /a[b]c: or ""'],
      ] as const)
        expect(toModelMessage(renamingTool, message), message).to.equal(expected);
      expect(toModelMessage(tool({ type: 'object' }), 'At /a[b]: no.')).to.equal('At /a[b]: no.');
    });

    for (const callArguments of ['{}', null, 7, [], { free: { other: 1 } }] as Json[]) {
      it(`should not change arguments without renamed properties: ${JSON.stringify(callArguments)}`, () => {
        expect(fromModelArguments(tool(inputSchema), callArguments)).to.deep.equal(callArguments);
      });
    }

    it('should rename properties in alternatives and in recursive schemas', () => {
      const schema: JsonObject = {
        type: 'object',
        oneOf: [{ properties: { 'a[]': { type: 'string' } } }, { $ref: '#/$defs/tree' }],
        $defs: { tree: { properties: { 'b[]': { type: 'array', items: { $ref: '#/$defs/tree' } } } } },
      };
      const callArguments = { 'a[]': 'x', 'b[]': [{ 'b[]': [] }] };

      const modelArguments = toModelArguments(tool(schema), callArguments);

      expect(JSON.stringify(modelArguments)).not.to.include('[]"');
      expect(fromModelArguments(tool(schema), modelArguments)).to.deep.equal(callArguments);
      expect(isAcceptedByEveryApi(toModelTool(tool(schema)).inputSchema)).to.equal(true);
    });

    it('should rename nothing when the arguments contain both names of a property', () => {
      const callArguments = { plain: 'x', $top: 1, [modelPropertyName('$top')]: 2 };

      expect(fromModelArguments(tool(inputSchema), callArguments)).to.deep.equal(callArguments);
    });

    it('should create distinct names for properties whose names are similar or too long', () => {
      const names = ['a[]', 'a()', 'a__', 'x'.repeat(65), 'x'.repeat(66), 'größe', '', '名'];

      const modelNames = names.map(modelPropertyName);

      expect(new Set(modelNames).size).to.equal(names.length);
      for (const name of modelNames) expect(name).to.match(/^[a-zA-Z0-9_.-]{1,64}$/);
    });
  });
});
