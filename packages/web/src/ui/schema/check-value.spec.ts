import { expect } from 'chai';
import { checkValue, pathOf } from './check-value.js';

describe('checkValue', () => {
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

  it('should find nothing where all fits', () => {
    expect(
      checkValue(schema, { 'from': 'v1', 'count': 2, 'level': 'low', 'a/b.c': [true], 'choice': 'yes' }),
    ).to.deep.equal([]);
  });

  it('should say of each field what is wrong, in words', () => {
    // when
    const faults = checkValue(schema, {
      'count': 1.5,
      'level': 'middle',
      'a/b.c': [true, 'no'],
      'choice': 'a',
      'more': 1,
    });
    // then
    expect(Object.fromEntries(faults.map(({ path, message }) => [path.join(' › '), message]))).to.deep.equal({
      'from': 'Has to be filled in.',
      'count': 'Has to be a whole number.',
      'level': 'Has to be "low" or "high".',
      'a/b.c › 1': 'Has to be true or false.',
      'choice': 'Fits none of the alternatives, or more than one.',
      'more': 'Is not allowed here.',
    });
    expect(checkValue(schema, { from: 'main' }).map(({ message }) => message)).to.deep.equal([
      'Does not have the form that is asked for.',
    ]);
  });

  it('should say in words of its own what any keyword asks for', () => {
    const cases: readonly (readonly [object, unknown, string])[] = [
      [{ minimum: 1.5 }, 1, 'Has to be at least 1.5.'],
      [{ maximum: 3 }, 4, 'Has to be at most 3.'],
      [{ exclusiveMinimum: 1 }, 1, 'Has to be more than 1.'],
      [{ exclusiveMaximum: 9 }, 9, 'Has to be less than 9.'],
      [{ multipleOf: 5 }, 7, 'Has to be a multiple of 5.'],
      [{ minItems: 2 }, [1], 'Has too few items; at least 2 are needed.'],
      [{ maxItems: 1 }, [1, 2], 'Has too many items; at most 1 are allowed.'],
      [{ minProperties: 1 }, {}, 'Has too few members; at least 1 are needed.'],
      [{ maxProperties: 0 }, { a: 1 }, 'Has too many members; at most 0 are allowed.'],
      [{ contains: { const: 1 } }, [2], 'Has no item of the kind that is asked for.'],
      [
        { contains: { const: 1 }, minContains: 2 },
        [1, 3],
        'Has too few items of the kind that is asked for; at least 2 are needed.',
      ],
      [
        { contains: { const: 1 }, maxContains: 1 },
        [1, 1],
        'Has too many items of the kind that is asked for; at most 1 are allowed.',
      ],
      [{ uniqueItems: true }, [1, 1], 'Has items that are the same; each may be there once.'],
      [{ not: { type: 'string' } }, 'a', 'Is of a kind that is not allowed.'],
      [{ propertyNames: { maxLength: 1 } }, { long: 1 }, 'Has a name that is not allowed.'],
      [{ dependentRequired: { a: ['b'] } }, { a: 1 }, 'Has to be filled in.'],
      [{ type: ['string', 'integer'] }, true, 'Has to be a text or a whole number.'],
      [{ const: 'x' }, 'y', 'Has to be "x".'],
      [{ minLength: 2 }, 'a', 'Has 1 character, and needs at least 2.'],
      [{ maxLength: 2 }, 'abc', 'Has 3 characters; at most 2 are allowed.'],
      [{ format: 'email' }, 'a', 'Has to be a valid email.'],
      [
        { if: true, then: { dependentSchemas: { a: { minProperties: 2 } } } },
        { a: 1 },
        'Has too few members; at least 2 are needed.',
      ],
    ];
    for (const [keywords, value, message] of cases) {
      expect(
        checkValue({ properties: { 'a b/c': keywords } }, { 'a b/c': value }).map((fault) => fault.message),
        JSON.stringify(keywords),
      ).to.include(message);
      expect(
        checkValue({ properties: { 'a b/c': keywords } }, { 'a b/c': value })
          .map((fault) => fault.message)
          .join(),
        JSON.stringify(keywords),
      ).to.not.match(/instance|schema\.|subschema|Array|String/);
    }
  });

  it('should leave to the server what would take too long', () => {
    expect(checkValue({ type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(40)}b`)).to.deep.equal([]);
    expect(
      checkValue(
        { type: 'array', uniqueItems: true },
        Array.from({ length: 60_000 }, (_, index) => index),
      ),
    ).to.deep.equal([]);
    expect(checkValue({ type: 'string', pattern: '(' }, 'a')).to.deep.equal([]);
  });

  it('should take the ways to a value as the server gives them', () => {
    expect(pathOf('/a~1b/0')).to.deep.equal(['a/b', '0']);
    expect(pathOf('')).to.deep.equal([]);
  });
});
