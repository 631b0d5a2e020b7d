import { expect } from 'chai';
import { toFormSchema } from './form-schema.js';

describe('toFormSchema', () => {
  it('should accept objects with strings, booleans, choices and lists', () => {
    // given
    const schema = {
      type: 'object',
      required: ['dry'],
      properties: {
        from: { type: 'string' },
        dry: { type: 'boolean' },
        tags: { type: 'array', items: { enum: ['a', 'b'] } },
        target: { oneOf: [{ type: 'string' }, { type: 'object', properties: { host: { type: 'string' } } }] },
      },
    };
    // then
    expect(toFormSchema(schema)).to.deep.equal({
      ...schema,
      properties: { ...schema.properties, dry: { type: 'boolean', default: false } },
    });
  });

  let deep: object = { type: 'string' };
  for (let level = 0; level < 8; level += 1) deep = { type: 'object', properties: { child: deep } };
  const createChoice = (option: object): object => ({ oneOf: [option, { type: 'boolean' }] });
  const cases: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    'has conditions': { type: 'object', properties: {}, if: {}, then: {} },
    'allows anything': {},
    'has an invisible character in a title': {
      type: 'object',
      properties: { a: { type: 'string', title: 'Pay \u202e001' } },
    },
    'has an invisible character in an option': { enum: ['yes', 'n\u200bo'] },
    'allows several types': { type: ['string', 'null'] },
    'has thousands of options': { enum: Array.from({ length: 5_000 }, (_, index) => `o${index}`) },
    'has hundreds of fields': {
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`f${index}`, { type: 'string' }])),
    },
    'is deeply nested': deep as Readonly<Record<string, unknown>>,
    'has choices within choices': createChoice(createChoice({ type: 'string' })) as Readonly<Record<string, unknown>>,
    'allows a number or a string': { anyOf: [{ type: 'integer' }, { type: 'string' }] },
    'has no fields': { type: 'object' },
  };
  for (const [description, schema] of Object.entries(cases)) {
    it(`should offer only JSON for a schema that ${description}`, () => {
      expect(toFormSchema(schema)).to.equal(undefined);
    });
  }
});
