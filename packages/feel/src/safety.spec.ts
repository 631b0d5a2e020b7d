import { expect } from 'chai';
import { compileExpression } from './index.js';

const VARIABLES = new Map<string, unknown>(
  Object.entries({
    plain: { a: 1 },
    list: [1],
    text: 'abc',
    hostile: JSON.parse('{"__proto__": {"polluted": true}, "constructor": "c", "prototype": 1, "a": 2}') as unknown,
    inherited: Object.create({ secret: 1 }) as unknown,
  }),
);

function evaluate(source: string): unknown {
  return compileExpression(source).evaluate({ variables: VARIABLES, now: 0 });
}

describe('FEEL and JavaScript prototypes', () => {
  for (const source of [
    'plain.constructor',
    'plain.__proto__',
    'plain.prototype',
    'plain.toString',
    'plain.hasOwnProperty',
    'list.constructor',
    'text.length',
    'constructor',
    '__proto__',
    '`__proto__`',
    'plain.`__proto__`',
    'hostile.constructor',
    'hostile.__proto__',
    'hostile.prototype',
    'inherited.secret',
    'get value(plain, "constructor")',
    'get value(hostile, "__proto__")',
    'get value(plain, ["constructor", "name"])',
    'get value(inherited, "secret")',
    'plain.constructor.constructor',
    '[plain][1].constructor',
    'context put({}, "__proto__", {polluted: true})',
    'context put({}, ["constructor", "prototype"], 1)',
    'context([{key: "__proto__", value: {polluted: true}}])',
    'date("2020-01-01").constructor',
    'duration("P1D").ms',
    'date("2020-01-01").days',
    '{f: function(x) x}.f.invoke',
    '[1..2].kind',
  ]) {
    it(`should evaluate ${source} to null`, () => {
      expect(evaluate(source)).to.equal(null);
    });
  }

  it('should read a property from the items of a list, not from the list itself', () => {
    expect(evaluate('list.length')).to.deep.equal([null]);
  });

  it('should ignore inherited and hidden properties of items in a filter', () => {
    expect(evaluate('[plain, hostile][constructor = "c"]')).to.deep.equal([]);
    expect(evaluate('[inherited][secret = 1]')).to.deep.equal([]);
  });

  it('should omit hidden keys when copying a context', () => {
    for (const source of ['context merge([hostile, {b: 1}])', 'context put(hostile, "b", 1)']) {
      const result = evaluate(source) as object;
      expect(Object.keys(result)).to.deep.equal(['a', 'b']);
      expect(Object.getPrototypeOf(result)).to.equal(Object.prototype);
      expect(result).not.to.have.property('polluted');
    }
    expect(evaluate('get entries(hostile)')).to.deep.equal([{ key: 'a', value: 2 }]);
    expect(evaluate('[hostile]')).to.deep.equal([{ a: 2 }]);
    expect(evaluate('string(hostile)')).to.equal('{a:2}');
  });

  it('should never pollute `Object.prototype`', () => {
    evaluate('context merge([hostile])');
    expect(({} as Record<string, unknown>).polluted).to.equal(undefined);
  });
});
