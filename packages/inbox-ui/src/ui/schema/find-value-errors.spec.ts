import { expect } from 'chai';
import { findValueErrors, parsePointer } from './find-value-errors.js';

describe('findValueErrors', () => {
  const schema = {
    type: 'object',
    required: ['from'],
    additionalProperties: false,
    properties: {
      'from': { type: 'string', pattern: '^v\\d+$' },
      'count': { type: 'integer', minimum: 1 },
      'level': { enum: ['low', 'high'] },
      'a/b.c': { type: 'array', items: { type: 'boolean' } },
      'choice': {
        oneOf: [
          { type: 'object', required: ['x'] },
          { type: 'string', minLength: 3 },
        ],
      },
    },
  };

  it('should return no errors for a valid value', () => {
    expect(
      findValueErrors(schema, { 'from': 'v1', 'count': 2, 'level': 'low', 'a/b.c': [true], 'choice': 'yes' }),
    ).to.deep.equal([]);
  });

  it('should describe the error of each field in words', () => {
    // when
    const errors = findValueErrors(schema, {
      'count': 1.5,
      'level': 'middle',
      'a/b.c': [true, 'no'],
      'choice': 'a',
      'more': 1,
    });
    // then
    expect(Object.fromEntries(errors.map(({ path, message }) => [path.join(' › '), message]))).to.deep.equal({
      'from': 'Required.',
      'count': 'Must be a whole number.',
      'level': 'Must be "low" or "high".',
      'a/b.c › 1': 'Must be true or false.',
      'choice': 'Must match exactly one of the alternatives.',
      'more': 'Not allowed here.',
    });
    expect(findValueErrors(schema, { from: 'main' }).map(({ message }) => message)).to.deep.equal([
      'Does not match the required pattern.',
    ]);
  });

  it('should distinguish a number that cannot be stored exactly from a value that is not a number', () => {
    const schema = { type: 'object', properties: { amount: { type: ['number', 'null'] }, note: { type: 'boolean' } } };
    const findMessages = (value: object) => findValueErrors(schema, value).map(({ message }) => message);
    expect(findMessages({ amount: '9007199254740993' })).to.deep.equal([
      'This number has too many digits, or is too large, to be stored exactly.',
    ]);
    for (const amount of ['1,2,3', '12,50', '5', 'five'])
      expect(findMessages({ amount })).to.deep.equal([
        'Must be a number such as -1234.5, without spaces, commas or quotation marks.',
      ]);
    expect(findMessages({ note: '9007199254740993' })).to.deep.equal(['Must be true or false.']);
  });

  it('should describe a violation of each keyword without the terms of the validator', () => {
    const cases: readonly (readonly [object, unknown, string])[] = [
      [{ minimum: 1.5 }, 1, 'Must be at least 1.5.'],
      [{ maximum: 3 }, 4, 'Must be at most 3.'],
      [{ exclusiveMinimum: 1 }, 1, 'Must be more than 1.'],
      [{ exclusiveMaximum: 9 }, 9, 'Must be less than 9.'],
      [{ multipleOf: 5 }, 7, 'Must be a multiple of 5.'],
      [{ minItems: 2 }, [1], 'Has too few items; at least 2 are needed.'],
      [{ maxItems: 1 }, [1, 2], 'Has too many items; at most 1 are allowed.'],
      [{ minProperties: 1 }, {}, 'Has too few members; at least 1 are needed.'],
      [{ maxProperties: 0 }, { a: 1 }, 'Has too many members; at most 0 are allowed.'],
      [{ contains: { const: 1 } }, [2], 'Has no matching item.'],
      [{ contains: { const: 1 }, minContains: 2 }, [1, 3], 'Has too few matching items; at least 2 are needed.'],
      [{ contains: { const: 1 }, maxContains: 1 }, [1, 1], 'Has too many matching items; at most 1 are allowed.'],
      [{ uniqueItems: true }, [1, 1], 'Has duplicate items.'],
      [{ not: { type: 'string' } }, 'a', 'This value is not allowed.'],
      [{ anyOf: [{ const: 1 }, { const: 2 }] }, 3, 'Must match at least one of the alternatives.'],
      [{ oneOf: [{ minimum: 1 }, { maximum: 3 }] }, 2, 'Must match exactly one of the alternatives.'],
      [{ propertyNames: { maxLength: 1 } }, { long: 1 }, 'This name is not allowed.'],
      [{ dependentRequired: { a: ['b'] } }, { a: 1 }, 'Required.'],
      [{ type: ['string', 'integer'] }, true, 'Must be text or a whole number.'],
      [{ const: 'x' }, 'y', 'Must be "x".'],
      [{ minLength: 2 }, 'a', 'Has 1 character; at least 2 are needed.'],
      [{ maxLength: 2 }, 'abc', 'Has 3 characters; at most 2 are allowed.'],
      [{ format: 'email' }, 'a', 'Must be a valid email.'],
      [
        { if: true, then: { dependentSchemas: { a: { minProperties: 2 } } } },
        { a: 1 },
        'Has too few members; at least 2 are needed.',
      ],
    ];
    for (const [keywords, value, message] of cases) {
      expect(
        findValueErrors({ properties: { 'a b/c': keywords } }, { 'a b/c': value }).map((error) => error.message),
        JSON.stringify(keywords),
      ).to.include(message);
      expect(
        findValueErrors({ properties: { 'a b/c': keywords } }, { 'a b/c': value })
          .map((error) => error.message)
          .join(),
        JSON.stringify(keywords),
      ).to.not.match(/instance|schema\.|subschema|Array|String/);
    }
  });

  it('should skip checks that would take too long', () => {
    expect(findValueErrors({ type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(40)}b`)).to.deep.equal([]);
    expect(
      findValueErrors(
        { type: 'array', uniqueItems: true },
        Array.from({ length: 60_000 }, (_, index) => index),
      ),
    ).to.deep.equal([]);
    expect(findValueErrors({ type: 'string', pattern: '(' }, 'a')).to.deep.equal([]);
  });

  it('should parse JSON pointers as the server returns them', () => {
    expect(parsePointer('/a~1b/0')).to.deep.equal(['a/b', '0']);
    expect(parsePointer('')).to.deep.equal([]);
  });
});
