import { expect } from 'chai';
import fc from 'fast-check';
import {
  findInexactNumber,
  InexactNumberError,
  findNumberError,
  parseExactJson,
  parseInexactAsText,
  parseLosslessJson,
} from './exact-json.js';

const EXACT_NUMBERS = [
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
  '-9007199254740991.0',
  '1e21',
  '6.022e23',
  '6.0221407599999999e+23',
  '1.2345678901234566e+25',
  '1.7976931348623157e308',
  '5e-324',
  '2.2250738585072014E-308',
  '1000000000000000000000e-21',
  '0.00000000000000000000000000000000000001',
];

/**
 * Whole numbers beyond 2^53 - 1 that a double represents exactly only by chance: the next larger one may not be exact.
 */
const REPRESENTABLE_NUMBERS = [
  '9007199254740992',
  '-9007199254740992',
  '9007199254740994.0',
  '9007199254740992e0',
  '1764201600000000000',
  '1e20',
  '100000000000000000000',
  '1000000000000000000000',
  '1234567890e8',
  '-123456789012.5e9',
  '10000000E9',
];

const INEXACT_NUMBERS = [
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
  '1e400',
  '-1e999999',
  '18446744073709551616',
  '1.23456789012345678e+25',
];

function findParseProblem(text: string): InexactNumberError['problem'] | undefined {
  try {
    parseExactJson(text);
    return undefined;
  } catch (error) {
    if (error instanceof InexactNumberError) return error.problem;
    throw error;
  }
}

describe('parseExactJson', () => {
  for (const number of EXACT_NUMBERS) {
    it(`should accept ${number}`, () => {
      expect(parseExactJson(`[${number}]`)).to.deep.equal([Number(number)]);
    });
  }

  for (const number of [...INEXACT_NUMBERS, ...REPRESENTABLE_NUMBERS]) {
    it(`should refuse ${number}`, () => {
      expect(() => parseExactJson(number))
        .to.throw(InexactNumberError, number)
        .with.nested.property('problem.pointer', '');
    });
  }

  it('should report the location of the number', () => {
    const cases: readonly (readonly [text: string, pointer: string])[] = [
      ['{"inputs": {"account": 9007199254740993}}', '/inputs/account'],
      ['{"a": [1, {"b": "x"}, [2, 9007199254740993]]}', '/a/2/1'],
      ['{"a": {"b": 1}, "c": 9007199254740993}', '/c'],
      ['[{"a": 1}, {"a": [], "b": {}}, 9007199254740993]', '/2'],
      [String.raw`{"a\"/~": {"9007199254740993": 9007199254740993}}`, '/a"~1~0/9007199254740993'],
      [String.raw`{"text": "\\\\", "n": 9007199254740993}`, '/n'],
      [String.raw`{"text": "a\\\"b: 9007199254740993, [{", "n": 9007199254740993}`, '/n'],
      ['{"é😀": 9007199254740993}', '/é😀'],
    ];
    for (const [text, pointer] of cases)
      expect(findParseProblem(text), text).to.deep.equal({
        pointer,
        code: 'number_not_exact',
        message:
          'The number 9007199254740993 is beyond 9007199254740991, up to which every whole number is exact. Send it as a string.',
      });
  });

  it('should leave strings unchanged, whatever digits they contain', () => {
    const value = {
      '9007199254740993': '9007199254740993',
      'hash': '1234567890123456789e99',
      'n': '"9007199254740993',
    };
    expect(parseExactJson(JSON.stringify(value))).to.deep.equal(value);
  });

  it('should shorten the location to a string that can be stored', () => {
    const cases: readonly (readonly [text: string, pointer: string])[] = [
      [String.raw`{"a": {"b\u0000": {"c": 1e400}}}`, '/a'],
      [String.raw`{"\ud83d": 1e400}`, ''],
      [`{"a": {"${'n'.repeat(1_001)}": 1e400}}`, '/a'],
    ];
    for (const [text, pointer] of cases) expect(findParseProblem(text), text).to.include({ pointer });
  });

  it('should state the number that would be stored', () => {
    const descriptions: readonly (readonly [number: string, reason: string])[] = [
      ['1234567890123456.78', 'The number 1234567890123456.78 would be stored as 1234567890123456.8.'],
      ['9007199254740991.5', 'The number 9007199254740991.5 would be stored as 9007199254740992.'],
      ['1e-400', 'The number 1e-400 would be stored as 0.'],
      ['6.02214075999999991e+23', 'The number 6.02214075999999991e+23 would be stored as 6.02214076e+23.'],
      ['1e400', 'The number 1e400 is outside the range that can be stored.'],
    ];
    for (const [number, reason] of descriptions)
      expect(() => parseExactJson(number))
        .to.throw(InexactNumberError)
        .with.property('reason', reason);
  });

  it('should parse all JSON.stringify output without inexact numbers', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.double(), fc.array(fc.maxSafeInteger())), (value) => {
        fc.pre(findInexactNumber(value) === undefined);
        const text = JSON.stringify(value);
        expect(parseExactJson(text)).to.deep.equal(JSON.parse(text));
        expect(parseInexactAsText(text)).to.deep.equal(JSON.parse(text));
      }),
    );
  });

  it('should refuse invalid JSON as JSON.parse does', () => {
    for (const text of ['', '{', '[1,]', '9007199254740993 1', '01', '{"a": 9007199254740993'])
      expect(() => parseExactJson(text), text).to.throw(SyntaxError);
  });

  it('should limit the length of the message and the location', () => {
    const digits = `0.${'9'.repeat(10_000)}`;
    expect(() => parseExactJson(`${'['.repeat(5_000)}${digits}${']'.repeat(5_000)}`))
      .to.throw(InexactNumberError)
      .satisfies((error: InexactNumberError) => error.message.length < 500);
  });

  it('should refuse a number regardless of the adjacent characters', () => {
    for (const text of ['{"id": 1234567890e8}', '{"id": 1234567890e8, "t": 1}', '{"t": "1e10", "id": 1234567890e8}'])
      expect(() => parseExactJson(text), text)
        .to.throw(InexactNumberError)
        .with.nested.property('problem.pointer', '/id');
    expect(parseInexactAsText('[1234567890e8]')).to.deep.equal(['1234567890e8']);
  });

  it('should read each character a bounded number of times', () => {
    const hostileInputs = [
      `[1${'0'.repeat(1_000_000)}1, 0.${'0'.repeat(1_000_000)}1]`,
      `["${'\\\\'.repeat(1_000_000)}", ${'1234567890123456,'.repeat(50_000)} 1]`,
      `${'['.repeat(100_000)}9007199254740993${', 9007199254740993]'.repeat(100_000)}`,
      `[${'"\\"", '.repeat(300_000)}9007199254740991]`,
      `[${'1,'.repeat(1_000_000)}1e10]`,
      `["${'1'.repeat(1_000_000)}x", ${'123456789012345,'.repeat(100_000)} 1]`,
    ];
    for (const text of hostileInputs) expect(() => parseInexactAsText(text)).not.to.throw();
  }).timeout(10_000);
});

describe('parseInexactAsText', () => {
  it('should return only inexact numbers as strings', () => {
    expect(
      parseInexactAsText(
        '{"id": 9007199254740993, "n": 12, "deep": [0.1234567890123456789, 1e21, 1e400, "9007199254740993"]}',
      ),
    ).to.deep.equal({
      id: '9007199254740993',
      n: 12,
      deep: ['0.1234567890123456789', 1e21, '1e400', '9007199254740993'],
    });
  });

  it('should return ids of one type regardless of their last digits', () => {
    const text = '[1764201600000000000, 1764201600000000001]';
    expect(parseInexactAsText(text)).to.deep.equal(['1764201600000000000', '1764201600000000001']);
  });
});

describe('parseLosslessJson', () => {
  for (const number of [...EXACT_NUMBERS, ...REPRESENTABLE_NUMBERS]) {
    it(`should accept ${number}`, () => {
      expect(parseLosslessJson(number)).to.equal(Number(number));
    });
  }

  for (const number of INEXACT_NUMBERS) {
    it(`should refuse ${number}`, () => {
      expect(() => parseLosslessJson(number)).to.throw(InexactNumberError);
    });
  }

  it('should parse all JSON.stringify output', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.double()), (value) => {
        const text = JSON.stringify(value);
        expect(parseLosslessJson(text)).to.deep.equal(JSON.parse(text));
      }),
    );
  });
});

describe('findNumberError', () => {
  it('should detect strings that are not numbers, and numbers that are not exact', () => {
    for (const text of [...EXACT_NUMBERS, '+1', '007', '.5', '-1.', '+1.e3'])
      expect(findNumberError(text), text).to.equal(undefined);
    for (const text of ['', ' 1', '1 ', '1,5', '1.2.3', '.', '0x10', '1n', 'NaN', 'Infinity', '1\n', '--1', 'e5'])
      expect(findNumberError(text), text).to.equal('not_a_number');
    for (const text of [...INEXACT_NUMBERS, ...REPRESENTABLE_NUMBERS, '+9007199254740993', '.12345678901234567890'])
      expect(findNumberError(text), text).to.equal('not_exact');
  });
});

describe('findNumberError of a long string', () => {
  it('should read each character a bounded number of times', () => {
    expect(findNumberError(`${'1'.repeat(1_000_000)}x`)).to.equal('not_a_number');
    expect(findNumberError('1'.repeat(1_000_000))).to.equal('not_exact');
  }).timeout(10_000);
});

describe('findInexactNumber', () => {
  it('should find whole numbers that may have been rounded', () => {
    for (const number of [2 ** 53, -(2 ** 53), Number('8202522731445525542'), 1e20])
      expect(findInexactNumber({ a: [number] })).to.deep.include({ pointer: '/a/0', code: 'number_not_exact' });
  });

  it('should find values that JSON turns into null or cannot represent', () => {
    for (const number of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
      expect(findInexactNumber({ 'a/b': number })).to.deep.equal({
        pointer: '/a~1b',
        code: 'number_not_exact',
        message: `JSON has no number ${number}.`,
      });
    expect(findInexactNumber([9007199254740993n])?.message).to.equal(
      'JSON has no BigInt 9007199254740993. Send it as a string.',
    );
  });

  it('should check the JSON form of an object', () => {
    expect(findInexactNumber({ id: { high: 1n, toJSON: () => '9007199254740993' } })).to.equal(undefined);
    expect(findInexactNumber({ id: { toJSON: () => 2 ** 53 } })?.pointer).to.equal('/id');
  });

  it('should check the JSON form of BigInts', () => {
    const prototype = BigInt.prototype as { toJSON?: () => string };
    prototype.toJSON = () => '5';
    try {
      expect(findInexactNumber({ id: 5n })).to.equal(undefined);
    } finally {
      delete prototype.toJSON;
    }
  });

  it('should limit the depth of the search and the length of the pointer', () => {
    let deep: unknown = 2 ** 60;
    for (let level = 0; level < 20_000; level += 1) deep = [deep];
    expect(findInexactNumber(deep)).to.equal(undefined);
    expect(findInexactNumber({ ['n'.repeat(1_000_000)]: 2 ** 60 })?.pointer).to.have.lengthOf(1_000);
  });

  it('should terminate on a value that contains itself', () => {
    const value: Record<string, unknown> = { n: 2 ** 60 };
    expect(findInexactNumber({ ring: [value], value: Object.assign(value, { value }) })?.pointer).to.equal('/ring/0/n');
  });

  it('should ignore all other values', () => {
    const value = { a: [2 ** 53 - 1, 0.1, 1e21, 6.022e23, -1e300, 5e-324], b: null, c: 'x', d: true, e: undefined };
    expect(findInexactNumber(value)).to.equal(undefined);
  });
});
