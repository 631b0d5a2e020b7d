import { expect } from 'chai';
import type { JsonObject } from '@countersign/core/plugin';
import { fitsOutputFormat } from './output-format.js';

describe('fitsOutputFormat', () => {
  const closedObject = (properties: JsonObject): JsonObject => ({
    type: 'object',
    properties,
    additionalProperties: false,
  });

  it('should be true for closed objects with supported keywords', () => {
    for (const schema of [
      closedObject({}),
      closedObject({
        a: { type: 'string', maxLength: 3 },
        b: { enum: ['x', null] },
        c: { type: ['string', 'null'] },
        d: { type: 'array', items: closedObject({}) },
        e: { anyOf: [closedObject({}), { type: 'null' }] },
        f: { const: 1 },
      }),
    ]) {
      expect(fitsOutputFormat(schema), JSON.stringify(schema)).to.equal(true);
    }
  });

  it('should be false for schemas that the API would interpret differently', () => {
    const openObject: JsonObject = { type: 'object', properties: {} };
    for (const part of [
      openObject,
      { type: ['object', 'null'], properties: {} },
      { type: 'array' },
      { type: 'array', items: openObject },
      { anyOf: [openObject] },
      { oneOf: [closedObject({})] },
      { allOf: [closedObject({})] },
      { $ref: '#' },
      { enum: [{}] },
      { const: [] },
      { type: 'object', patternProperties: {}, additionalProperties: false },
      {},
      true,
    ]) {
      expect(fitsOutputFormat(closedObject({ part: part as JsonObject })), JSON.stringify(part)).to.equal(false);
    }
  });
});
