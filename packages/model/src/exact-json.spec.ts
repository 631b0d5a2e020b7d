import { expect } from 'chai';
import fc from 'fast-check';
import { findUnsafeInteger, InexactNumberError, parseExactJson, parseInexactAsText } from './exact-json.js';

const EXACT = [
  '0',
  '-0',
  '0.0',
  '0e999999999',
  '1',
  '1.0',
  '1.10',
  '-1.50e3',
  '0.1',
  '0.30000000000000004',
  '0.10000000000000001',
  '3.1400000000000001',
  '9007199254740991',
  '9007199254740992',
  '9007199254740994',
  '-9007199254740992',
  '9007199254740992e0',
  '1e20',
  '100000000000000000000',
  '1e21',
  '6.022e23',
  '1.7976931348623157e308',
  '5e-324',
  '2.2250738585072014E-308',
  '1000000000000000000000e-21',
  '0.00000000000000000000000000000000000001',
];

const INEXACT = [
  '9007199254740993',
  '-9007199254740993',
  '9007199254740993.0',
  '9007199254740993e0',
  '9.007199254740993e15',
  '9007199254740992.5',
  '8202522731445525542',
  '1152921504606846976',
  '18446744073709551615',
  '1732665600000000001',
  '12345678901234567890123',
  '90071992547409.93',
  '0.1234567890123456789',
  '0.3333333333333333333333333333333333',
  '3.14159265358979323846',
  '1e-400',
  '-1e-5000',
];

describe('parseExactJson', () => {
  for (const number of EXACT) {
    it(`should accept ${number}`, () => {
      expect(parseExactJson(`[${number}]`)).to.deep.equal([Number(number)]);
    });
  }

  for (const number of INEXACT) {
    it(`should refuse ${number}, which would be ${Number(number)}`, () => {
      expect(() => parseExactJson(number))
        .to.throw(InexactNumberError, number)
        .with.nested.property('problem.pointer', '');
    });
  }

  it('should name the place', () => {
    const places: readonly (readonly [text: string, pointer: string])[] = [
      ['{"inputs": {"account": 9007199254740993}}', '/inputs/account'],
      ['{"a": [1, {"b": "x"}, [2, 9007199254740993]]}', '/a/2/1'],
      ['{"a": {"b": 1}, "c": 9007199254740993}', '/c'],
      ['[{"a": 1}, {"a": [], "b": {}}, 9007199254740993]', '/2'],
      [String.raw`{"a\"/~": {"9007199254740993": 9007199254740993}}`, '/a"~1~0/9007199254740993'],
      [String.raw`{"text": "\\\\", "n": 9007199254740993}`, '/n'],
      [String.raw`{"text": "a\\\"b: 9007199254740993, [{", "n": 9007199254740993}`, '/n'],
      ['{"é😀": 9007199254740993}', '/é😀'],
    ];
    for (const [text, pointer] of places) {
      expect(() => parseExactJson(text), text)
        .to.throw(InexactNumberError)
        .with.deep.property('problem', {
          pointer,
          code: 'number_not_exact',
          message: 'JSON numbers cannot hold 9007199254740993 exactly. Send it as text: "9007199254740993".',
        });
    }
  });

  it('should leave texts alone, whatever digits they contain', () => {
    const value = {
      '9007199254740993': '9007199254740993',
      'hash': '1234567890123456789e99',
      'n': '"9007199254740993',
    };
    expect(parseExactJson(JSON.stringify(value))).to.deep.equal(value);
  });

  it('should read whatever JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(parseExactJson(text)).to.deep.equal(JSON.parse(text));
        expect(parseInexactAsText(text)).to.deep.equal(JSON.parse(text));
      }),
    );
  });

  it('should refuse what is not JSON as JSON.parse does', () => {
    for (const text of ['', '{', '[1,]', '9007199254740993 1', '01', '{"a": 9007199254740993'])
      expect(() => parseExactJson(text), text).to.throw(SyntaxError);
  });

  it('should leave infinite numbers to the check that follows', () => {
    expect(parseExactJson('1e400')).to.equal(Number.POSITIVE_INFINITY);
  });

  it('should bound the message and the place', () => {
    const digits = `0.${'9'.repeat(10_000)}`;
    expect(() => parseExactJson(`${'['.repeat(5_000)}${digits}${']'.repeat(5_000)}`))
      .to.throw(InexactNumberError)
      .satisfies((error: InexactNumberError) => error.message.length < 500);
  });

  it('should look at each character a bounded number of times', () => {
    const hostile = [
      `[1${'0'.repeat(1_000_000)}1, 0.${'0'.repeat(1_000_000)}1]`,
      `["${'\\\\'.repeat(1_000_000)}", ${'1234567890123456,'.repeat(50_000)} 1]`,
      `${'['.repeat(100_000)}9007199254740993${', 9007199254740993]'.repeat(100_000)}`,
      `[${'"\\"", '.repeat(300_000)}9007199254740991]`,
    ];
    for (const text of hostile) expect(() => parseInexactAsText(text)).not.to.throw();
  }).timeout(10_000);
});

describe('parseInexactAsText', () => {
  it('should give the numbers that cannot be kept as texts, and no others', () => {
    expect(
      parseInexactAsText(
        '{"id": 9007199254740993, "n": 12, "deep": [0.1234567890123456789, 1e20, "9007199254740993"]}',
      ),
    ).to.deep.equal({ id: '9007199254740993', n: 12, deep: ['0.1234567890123456789', 1e20, '9007199254740993'] });
  });
});

describe('findUnsafeInteger', () => {
  it('should find whole numbers that may have been others', () => {
    for (const number of [2 ** 53, -(2 ** 53), Number('8202522731445525542'), 1e20])
      expect(findUnsafeInteger({ a: [number] })).to.deep.include({ pointer: '/a/0', code: 'number_not_exact' });
    expect(findUnsafeInteger({ a: 9007199254740993n })?.message).to.contain('9007199254740993');
  });

  it('should leave all other values alone', () => {
    const value = { a: [2 ** 53 - 1, 0.1, 1e21, 6.022e23, -1e300, 5e-324], b: null, c: 'x', d: true, e: undefined };
    expect(findUnsafeInteger(value)).to.equal(undefined);
  });
});
