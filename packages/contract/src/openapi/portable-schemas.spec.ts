import { expect } from 'chai';
import { buildOpenApiDocument } from './build-document.js';
import { makeSchemasPortable } from './portable-schemas.js';

type Schema = Record<string, unknown>;

/** Rewrites a schema as a component of an OpenAPI document. */
const rewrite = (schema: Schema): unknown =>
  makeSchemasPortable({ components: { schemas: { Given: schema } } }).components.schemas.Given;

describe('makeSchemasPortable', () => {
  it('should convert a nullable type to a list of types', () => {
    expect(
      rewrite({
        anyOf: [{ type: 'string', format: 'uuid', description: 'An id.' }, { type: 'null' }],
        description: 'A run.',
      }),
    ).to.deep.equal({ type: ['string', 'null'], format: 'uuid', description: 'A run.' });
  });

  it('should add null to the values of a nullable enum', () => {
    expect(rewrite({ anyOf: [{ type: 'string', enum: ['read', 'write'] }, { type: 'null' }] })).to.deep.equal({
      type: ['string', 'null'],
      enum: ['read', 'write', null],
    });
  });

  it('should convert a nullable reference to oneOf', () => {
    expect(rewrite({ anyOf: [{ $ref: '#/components/schemas/Role' }, { type: 'null' }] })).to.deep.equal({
      oneOf: [{ $ref: '#/components/schemas/Role' }, { type: 'null' }],
    });
  });

  it('should move a reference with a description into allOf', () => {
    expect(rewrite({ $ref: '#/components/schemas/Role', description: 'The minimum role.' })).to.deep.equal({
      allOf: [{ $ref: '#/components/schemas/Role' }],
      description: 'The minimum role.',
    });
  });

  it('should remove default values that are objects', () => {
    expect(rewrite({ type: 'object', default: {} })).to.deep.equal({ type: 'object' });
  });

  it('should add the format int64 to integers that may exceed 32 bits', () => {
    expect(rewrite({ type: 'integer', maximum: 2 ** 53 - 1 })).to.include({ format: 'int64' });
    expect(rewrite({ type: 'integer' })).to.include({ format: 'int64' });
    expect(rewrite({ type: 'integer', maximum: 200 })).not.to.have.property('format');
  });

  it('should replace a boolean `const` with `not` and the opposite value', () => {
    expect(rewrite({ type: 'boolean', const: true })).to.deep.equal({ type: 'boolean', not: { const: false } });
  });

  it('should declare the discriminator property of a oneOf with all its values', () => {
    const variantSchema = (kind: string) => ({ type: 'object', properties: { kind: { type: 'string', const: kind } } });
    const petSchema = {
      oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
      discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat' } },
    };
    const { components } = makeSchemasPortable({
      components: { schemas: { Pet: petSchema, Cat: variantSchema('cat'), Dog: variantSchema('dog') } },
    });
    expect(components.schemas.Pet).to.deep.equal({
      ...petSchema,
      properties: { kind: { type: 'string', enum: ['cat', 'dog'] } },
      required: ['kind'],
    });
  });

  it('should prefix the constant names of an enum with the name of the enum', () => {
    const { components } = makeSchemasPortable({
      components: { schemas: { DmnDecisionType: { type: 'string', enum: ['decisionTable', 'other-one'] } } },
    });
    expect(components.schemas.DmnDecisionType).to.deep.include({
      'x-enum-varnames': ['DMN_DECISION_TYPE_DECISION_TABLE', 'DMN_DECISION_TYPE_OTHER_ONE'],
    });
  });

  it('should not change properties and examples whose names are schema keywords', () => {
    const schema = {
      type: 'object',
      properties: { default: { type: 'string' }, anyOf: { type: 'boolean' } },
      examples: [{ $ref: 'main', default: {} }],
    };
    expect(rewrite(schema)).to.deep.equal(schema);
  });
});

describe('OpenAPI document for client generators', () => {
  const schemas = listSchemas(JSON.parse(JSON.stringify(buildOpenApiDocument({ version: '1' }))) as unknown);
  /** Returns the locations of the schemas that match. */
  const findLocations = (matches: (schema: Schema) => boolean) =>
    schemas.filter(({ schema }) => matches(schema)).map(({ location }) => location);

  it('should contain more than 500 schemas', () => {
    expect(schemas.length).to.be.greaterThan(500);
  });

  it('should not contain null in anyOf', () => {
    expect(findLocations(({ anyOf }) => toSchemaList(anyOf).some(({ type }) => type === 'null'))).to.be.empty;
  });

  it('should not contain properties next to a `$ref`', () => {
    expect(findLocations((schema) => '$ref' in schema && Object.keys(schema).length > 1)).to.be.empty;
  });

  it('should have a discriminator with a mapping in each oneOf except nullable references', () => {
    const undiscriminatedLocations = findLocations(({ oneOf, discriminator }) => {
      const members = toSchemaList(oneOf);
      if (members.length === 0) return false;
      const references = members.filter(({ type }) => type !== 'null');
      if (references.length === 1 && members.length === 2) return !('$ref' in (references[0] as Schema));
      const { mapping = {} } = (discriminator ?? {}) as { mapping?: Record<string, string> };
      return !members.every(({ $ref }) => Object.values(mapping).includes(String($ref)));
    });
    expect(undiscriminatedLocations).to.be.empty;
  });

  it('should declare each discriminator property with all its values', () => {
    const unions = schemas.filter(({ schema }) => schema['discriminator'] !== undefined);
    expect(unions).not.to.be.empty;
    for (const { location, schema } of unions) {
      const { propertyName, mapping } = schema['discriminator'] as { propertyName: string; mapping: object };
      const { [propertyName]: declared } = (schema['properties'] ?? {}) as Record<string, Schema>;
      expect(declared?.['enum'], location).to.have.members(Object.keys(mapping));
    }
  });

  it('should contain only named schemas in anyOf', () => {
    expect(findLocations(({ anyOf }) => toSchemaList(anyOf).some((schema) => !('$ref' in schema)))).to.be.empty;
  });

  it('should not contain default values that are objects', () => {
    expect(findLocations((schema) => typeof schema['default'] === 'object' && schema['default'] !== null)).to.be.empty;
  });

  it('should not contain boolean constants except in `not`', () => {
    const locations = findLocations((schema) => typeof schema['const'] === 'boolean');
    expect(locations.filter((location) => !location.endsWith('/not'))).to.be.empty;
  });

  it('should have a format for each integer that may exceed 32 bits', () => {
    const isWideInteger = ({ type, maximum }: Schema) =>
      (type === 'integer' || (Array.isArray(type) && type.includes('integer'))) &&
      !(typeof maximum === 'number' && maximum < 2 ** 31);
    expect(findLocations((schema) => isWideInteger(schema) && schema['format'] === undefined)).to.be.empty;
  });

  it('should contain only keywords that client generators support', () => {
    const unknown = schemas.flatMap(({ location, schema }) =>
      Object.keys(schema)
        .filter((keyword) => !KEYWORDS.has(keyword))
        .map((keyword) => `${location} ${keyword}`),
    );
    expect(unknown).to.be.empty;
  });

  it('should have unique constant names across all enums', () => {
    const names = schemas.flatMap(({ schema }) => (schema['x-enum-varnames'] ?? []) as string[]);
    expect(names).not.to.be.empty;
    expect(new Set(names).size).to.equal(names.length);
  });

  it('should list a concrete media type before `*/*`', () => {
    const document = buildOpenApiDocument({ version: '1' });
    const upload = document.paths?.['/api/runs/{runId}/artifacts/{artifactName}']?.post?.requestBody;
    expect(Object.keys((upload as { content: object }).content)).to.deep.equal(['application/octet-stream', '*/*']);
  });
});

/**
 * Keywords of JSON Schema 2020-12 that client generators support, the OpenAPI keyword `discriminator` and the extension
 * `x-enum-varnames`.
 */
const KEYWORDS: ReadonlySet<string> = new Set([
  ...['$ref', 'type', 'enum', 'const', 'allOf', 'anyOf', 'oneOf', 'not', 'discriminator', 'x-enum-varnames'],
  ...['properties', 'required', 'additionalProperties', 'propertyNames', 'minProperties', 'maxProperties'],
  ...['items', 'minItems', 'maxItems', 'uniqueItems', 'minLength', 'maxLength', 'pattern', 'format'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly'],
]);

function toSchemaList(list: unknown): Schema[] {
  return Array.isArray(list) ? (list as Schema[]) : [];
}

/** Returns every schema of a document with its location. */
function listSchemas(node: unknown, location = '#'): { location: string; schema: Schema }[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node as Schema).flatMap(([name, value]) => {
    const childLocation = `${location}/${name}`;
    if (name === 'schema') return listSubschemas(value, childLocation);
    if (name === 'schemas')
      return Object.entries(value as Schema).flatMap(([id, each]) => listSubschemas(each, `${childLocation}/${id}`));
    return name === 'examples' || name === 'example' ? [] : listSchemas(value, childLocation);
  });
}

function listSubschemas(value: unknown, location: string): { location: string; schema: Schema }[] {
  if (typeof value !== 'object' || value === null) return [];
  const schema = value as Schema;
  const namedSchemas = Object.entries((schema['properties'] ?? {}) as Schema);
  const singleSchemas = ['items', 'additionalProperties', 'propertyNames', 'not'].map(
    (name) => [name, schema[name]] as const,
  );
  const listedSchemas = ['allOf', 'anyOf', 'oneOf'].flatMap((name) => Object.entries(toSchemaList(schema[name])));
  return [
    { location, schema },
    ...[...namedSchemas, ...singleSchemas, ...listedSchemas].flatMap(([name, each]) =>
      listSubschemas(each, `${location}/${name}`),
    ),
  ];
}
