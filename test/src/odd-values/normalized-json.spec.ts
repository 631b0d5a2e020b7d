import { expect } from 'chai';
import { parseNormalizedJson } from './normalized-json.spec.support.js';

describe('parseNormalizedJson', () => {
  const SAME: readonly (readonly [string, string])[] = [
    ['{"a": 1.10}', '{"a":1.1}'],
    ['[1e2, 1E+2, 100.0]', '[100,100,100]'],
    ['-0', '0'],
    ['0e999', '0'],
    ['0.10000000000000001', '0.1'],
    ['1e21', '1000000000000000000000'],
    ['{"b": 1, "a": "2"}', '{"a":"2","b":1}'],
    [String.raw`"\u00e9 \" 12"`, '"é \\" 12"'],
  ];
  for (const [text, otherText] of SAME)
    it(`should treat ${text} as equal to ${otherText}`, () =>
      expect(parseNormalizedJson(text)).to.deep.equal(parseNormalizedJson(otherText)));

  const DIFFERENT: readonly (readonly [string, string])[] = [
    ['9007199254740993', '9007199254740992'],
    ['8202522731445525542', '8202522731445526000'],
    ['0.1234567890123456789', '0.12345678901234568'],
    ['1e400', 'null'],
    ['1e-400', '0'],
    ['1', '"1"'],
    ['-1', '1'],
    ['[1]', '1'],
    ['{"a":1}', '{"a":1,"b":null}'],
  ];
  for (const [text, otherText] of DIFFERENT)
    it(`should distinguish ${text} from ${otherText}`, () =>
      expect(parseNormalizedJson(text)).to.not.deep.equal(parseNormalizedJson(otherText)));
});
