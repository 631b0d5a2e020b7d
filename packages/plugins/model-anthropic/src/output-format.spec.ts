import { expect } from 'chai';
import type { JsonObject } from '@countersign/core/plugin';
import { fitsOutputFormat } from './output-format.js';

describe('fitsOutputFormat', () => {
  const closed = (properties: JsonObject): JsonObject => ({ type: 'object', properties, additionalProperties: false });

  it('should be true for closed objects with supported keywords', () => {
    for (const schema of [
      closed({}),
      closed({
        a: { type: 'string', maxLength: 3 },
        b: { enum: ['x', null] },
        c: { type: ['string', 'null'] },
        d: { type: 'array', items: closed({}) },
        e: { anyOf: [closed({}), { type: 'null' }] },
        f: { const: 1 },
      }),
    ]) {
      expect(fitsOutputFormat(schema), JSON.stringify(schema)).to.equal(true);
    }
  });

  it('should be false for schemas that the API would interpret differently', () => {
    const open: JsonObject = { type: 'object', properties: {} };
    for (const part of [
      open,
      { type: ['object', 'null'], properties: {} },
      { type: 'array' },
      { type: 'array', items: open },
      { anyOf: [open] },
      { oneOf: [closed({})] },
      { allOf: [closed({})] },
      { $ref: '#' },
      { enum: [{}] },
      { const: [] },
      { type: 'object', patternProperties: {}, additionalProperties: false },
      {},
      true,
    ]) {
      expect(fitsOutputFormat(closed({ part: part as JsonObject })), JSON.stringify(part)).to.equal(false);
    }
  });
});
