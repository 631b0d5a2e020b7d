import { expect } from 'chai';
import type { JsonObject } from '@countersign/core/plugin';
import { fitsStrict } from './strict-schema.js';

describe('fitsStrict', () => {
  const closed = (properties: JsonObject, required = Object.keys(properties)): JsonObject => ({
    type: 'object',
    properties,
    required,
    additionalProperties: false,
  });

  it('should be true for objects that are closed and complete at every level', () => {
    const item = closed({ name: { type: ['string', 'null'], description: 'x' }, kind: { enum: ['a', 'b'] } });
    for (const schema of [
      closed({}),
      closed({
        list: { type: 'array', items: item },
        one: { anyOf: [item, { type: 'null' }] },
        two: { $ref: '#/$defs/item' },
      }),
      { ...closed({ two: { $ref: '#/$defs/item' } }), $defs: { item } },
    ]) {
      expect(fitsStrict(schema), JSON.stringify(schema)).to.equal(true);
    }
  });

  it('should be false for schemas that the API would refuse', () => {
    const open: JsonObject = { type: 'object', properties: {} };
    let deep: JsonObject = closed({});
    for (let level = 0; level < 12; level += 1) deep = closed({ deep });
    for (const schema of [
      open,
      closed({ a: { type: 'string' } }, []),
      closed({ a: open }),
      closed({ a: { type: 'array', items: open } }),
      closed({ a: { anyOf: [open] } }),
      closed({ a: { allOf: [closed({})] } }),
      closed({ a: { type: 'string', default: 'x' } }),
      closed({ a: { $ref: 'https://example.org/a' } }),
      { ...closed({}), $defs: { open } },
      { ...closed({}), anyOf: [closed({})] },
      { type: 'array', items: { type: 'string' } },
      { type: ['object', 'null'], properties: {}, required: [], additionalProperties: false },
      {},
      deep,
    ]) {
      expect(fitsStrict(schema as JsonObject), JSON.stringify(schema).slice(0, 100)).to.equal(false);
    }
  });
});
