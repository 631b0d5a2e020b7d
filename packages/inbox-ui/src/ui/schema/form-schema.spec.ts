import { expect } from 'chai';
import { formSchema } from './form-schema.js';

describe('formSchema', () => {
  it('should return objects with strings, booleans, choices and lists', () => {
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
    expect(formSchema(schema)).to.deep.equal({
      ...schema,
      properties: { ...schema.properties, dry: { type: 'boolean', default: false } },
    });
  });

  let deep: object = { type: 'string' };
  for (let level = 0; level < 8; level += 1) deep = { type: 'object', properties: { child: deep } };
  const choice = (of: object): object => ({ oneOf: [of, { type: 'boolean' }] });
  const cases: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    'has conditions': { type: 'object', properties: {}, if: {}, then: {} },
    'allows anything': {},
    'hides something in a title': { type: 'object', properties: { a: { type: 'string', title: 'Pay \u202e001' } } },
    'hides something in an option': { enum: ['yes', 'n\u200bo'] },
    'allows several types': { type: ['string', 'null'] },
    'has more options than anybody reads': { enum: Array.from({ length: 5_000 }, (_, index) => `o${index}`) },
    'has more fields than anybody fills in': {
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`f${index}`, { type: 'string' }])),
    },
    'is deep': deep as Readonly<Record<string, unknown>>,
    'has choices within choices': choice(choice({ type: 'string' })) as Readonly<Record<string, unknown>>,
    'has a number or a text': { anyOf: [{ type: 'integer' }, { type: 'string' }] },
    'has no fields': { type: 'object' },
  };
  for (const [what, schema] of Object.entries(cases)) {
    it(`should offer only JSON for a schema that ${what}`, () => {
      expect(formSchema(schema)).to.equal(undefined);
    });
  }
});
