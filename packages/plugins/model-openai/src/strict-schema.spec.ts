import { expect } from 'chai';
import type { JsonObject } from '@countersign/core/plugin';
import { isStrictSchema } from './strict-schema.js';

describe('isStrictSchema', () => {
  const closedObject = (properties: JsonObject, required = Object.keys(properties)): JsonObject => ({
    type: 'object',
    properties,
    required,
    additionalProperties: false,
  });

  it('should be true for objects that are closed and complete at every level', () => {
    const item = closedObject({ name: { type: ['string', 'null'], description: 'x' }, kind: { enum: ['a', 'b'] } });
    for (const schema of [
      closedObject({}),
      closedObject({
        list: { type: 'array', items: item },
        one: { anyOf: [item, { type: 'null' }] },
        two: { $ref: '#/$defs/item' },
      }),
      { ...closedObject({ two: { $ref: '#/$defs/item' } }), $defs: { item } },
    ]) {
      expect(isStrictSchema(schema), JSON.stringify(schema)).to.equal(true);
    }
  });

  it('should be false for schemas that the API would refuse', () => {
    const openObject: JsonObject = { type: 'object', properties: {} };
    let deepObject: JsonObject = closedObject({});
    for (let level = 0; level < 12; level += 1) deepObject = closedObject({ deep: deepObject });
    for (const schema of [
      openObject,
      closedObject({ a: { type: 'string' } }, []),
      closedObject({ a: openObject }),
      closedObject({ a: { type: 'array', items: openObject } }),
      closedObject({ a: { anyOf: [openObject] } }),
      closedObject({ a: { allOf: [closedObject({})] } }),
      closedObject({ a: { type: 'string', default: 'x' } }),
      closedObject({ a: { $ref: 'https://example.org/a' } }),
      { ...closedObject({}), $defs: { open: openObject } },
      { ...closedObject({}), anyOf: [closedObject({})] },
      { type: 'array', items: { type: 'string' } },
      { type: ['object', 'null'], properties: {}, required: [], additionalProperties: false },
      {},
      deepObject,
    ]) {
      expect(isStrictSchema(schema as JsonObject), JSON.stringify(schema).slice(0, 100)).to.equal(false);
    }
  });
});
