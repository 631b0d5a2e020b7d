import { expect } from 'chai';
import { parseJson } from './parse-json.js';

describe('parseJson', () => {
  it('should parse valid JSON', () => {
    for (const value of [
      null,
      1.5e-3,
      'a "b" \\ \u2028',
      [],
      {},
      [1, [{ a: [true, false] }], ''],
      { a: { b: null }, c: -0.5 },
    ]) {
      expect(parseJson(JSON.stringify(value))).to.deep.equal({ value });
      expect(parseJson(` \n${JSON.stringify(value, null, 2)}\t`)).to.deep.equal({ value });
    }
  });

  it('should return the line and column of a syntax error', () => {
    const errors: readonly (readonly [string, number, number])[] = [
      ['', 1, 1],
      ['{', 1, 2],
      ['{"a": 1,}', 1, 9],
      ['{"a": 1 "b": 2}', 1, 9],
      ['{\n  "a": tru\n}', 2, 8],
      ['{\n  a: 1\n}', 2, 3],
      ['{"a" 1}', 1, 6],
      ['[1, 2', 1, 6],
      ['[1,, 2]', 1, 4],
      ['[1}', 1, 3],
      ['[,]', 1, 2],
      ['1 2', 1, 3],
      ['"open', 1, 1],
      ['"a\nb"', 1, 1],
      ['"\\x"', 1, 1],
      ['01', 1, 2],
      [']', 1, 1],
      ['\u00a0{}', 1, 1],
      ["'a'", 1, 1],
    ];
    for (const [text, line, column] of errors) expect(parseJson(text), text).to.deep.equal({ error: { line, column } });
  });

  it('should return the line and column of a number that cannot be stored exactly', () => {
    expect(parseJson('{\n  "account": 9007199254740993\n}')).to.deep.equal({
      error: { line: 2, column: 14, inexact: true },
    });
    expect(parseJson('[1e400]')).to.deep.equal({ error: { line: 1, column: 2, inexact: true } });
    expect(parseJson('{"account": "9007199254740993"}')).to.deep.equal({ value: { account: '9007199254740993' } });
  });

  it('should fail quickly for a long array or string that is never closed', () => {
    expect(parseJson(`[${'['.repeat(200_000)}`)).to.deep.equal({ error: { line: 1, column: 200_002 } });
    expect(parseJson(`"${'a'.repeat(1_000_000)}`)).to.deep.equal({ error: { line: 1, column: 1 } });
  });
});
