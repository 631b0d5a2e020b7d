import { expect } from 'chai';
import type { JsonObject } from '../domain/json.js';
import { findInputFaults } from './check-inputs.js';

let count = 0;
const faults = (inputSchema: JsonObject | null, inputs: JsonObject): unknown =>
  findInputFaults({ digest: `sha256:${(count += 1)}`, inputSchema }, inputs)?.map(({ pointer, code }) => [pointer, code]);

describe('findInputFaults()', () => {
  it('should take anything that can be stored where the workflow declares nothing', () => {
    expect(faults(null, { a: [1, { b: null }] })).to.equal(undefined);
    expect(faults(null, { a: ['\0'] })).to.deep.equal([['/inputs/a/0', 'unstorable_text']]);
    expect(faults(null, JSON.parse('{"a":{"__proto__":1}}') as JsonObject)).to.deep.equal([['/inputs/a/__proto__', 'polluting_key']]);
  });

  it('should name the place of each fault, and not the ones around it', () => {
    const schema = {
      type: 'object',
      required: ['amount'],
      additionalProperties: false,
      properties: { 'amount': { type: 'integer', minimum: 1 }, 'a/b': { $ref: '#/$defs/list' } },
      $defs: { list: { type: 'array', items: { type: 'string', maxLength: 2 } } },
    };
    expect(faults(schema, { amount: 1 })).to.equal(undefined);
    expect(faults(schema, {})).to.deep.equal([['/inputs', 'required']]);
    expect(faults(schema, { 'amount': 0, 'a/b': ['ok', 'long'] })).to.deep.equal([
      ['/inputs/amount', 'minimum'],
      ['/inputs/a~1b/1', 'max_length'],
    ]);
    expect(faults(schema, { amount: 1, other: true })).to.deep.include.members([['/inputs', 'additional_properties']]);
  });
});
