import { expect } from 'chai';
import { checkValue, pathOf } from './check-value.js';

describe('checkValue', () => {
  const schema = {
    type: 'object',
    required: ['from'],
    additionalProperties: false,
    properties: {
      from: { type: 'string', pattern: '^v\\d+$' },
      count: { type: 'integer', minimum: 1 },
      level: { enum: ['low', 'high'] },
      'a/b.c': { type: 'array', items: { type: 'boolean' } },
      choice: { oneOf: [{ type: 'object', required: ['x'] }, { type: 'string', minLength: 3 }] },
    },
  };

  it('should find nothing where all fits', () => {
    expect(checkValue(schema, { from: 'v1', count: 2, level: 'low', 'a/b.c': [true], choice: 'yes' })).to.deep.equal([]);
  });

  it('should say of each field what is wrong, in words', () => {
    // when
    const faults = checkValue(schema, { count: 1.5, level: 'middle', 'a/b.c': [true, 'no'], choice: 'a', more: 1 });
    // then
    expect(Object.fromEntries(faults.map(({ path, message }) => [path.join(' › '), message]))).to.deep.equal({
      from: 'Has to be filled in.',
      count: 'Has to be a whole number.',
      level: 'Has to be "low" or "high".',
      'a/b.c › 1': 'Has to be true or false.',
      choice: 'Fits none of the alternatives, or more than one.',
      more: 'Is not allowed here.',
    });
    expect(checkValue(schema, { from: 'main' }).map(({ message }) => message)).to.deep.equal(['Does not have the form that is asked for.']);
  });

  it('should leave to the server what would take too long', () => {
    expect(checkValue({ type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(40)}b`)).to.deep.equal([]);
    expect(checkValue({ type: 'array', uniqueItems: true }, Array.from({ length: 60_000 }, (_, index) => index))).to.deep.equal([]);
    expect(checkValue({ type: 'string', pattern: '(' }, 'a')).to.deep.equal([]);
  });

  it('should take the ways to a value as the server gives them', () => {
    expect(pathOf('/a~1b/0')).to.deep.equal(['a/b', '0']);
    expect(pathOf('')).to.deep.equal([]);
  });
});
