import { expect } from 'chai';
import { parseModelArguments } from './model-text.js';

describe('parseModelArguments()', () => {
  it('should return an empty object for every notation of missing arguments', () => {
    for (const text of ['', ' \n', 'null', ' null ', '""', '" "', '"null"', '{}', '"{}"'])
      expect(parseModelArguments(text), text).to.deep.equal({});
  });

  it('should return parsed JSON, even if the JSON is inside a string', () => {
    expect(parseModelArguments('{"a":[1,null,"null"]}')).to.deep.equal({ a: [1, null, 'null'] });
    expect(parseModelArguments(JSON.stringify('{"a":{"b":"{}"}}'))).to.deep.equal({ a: { b: '{}' } });
    expect(parseModelArguments('[null]')).to.deep.equal([null]);
    expect(parseModelArguments('false')).to.equal(false);
  });

  it('should return the text when it is not JSON or contains values that cannot be stored', () => {
    for (const text of ['{"a":1', '{"a":1}{"b":2}', 'nothing', '{"a":9007199254740993}'])
      expect(parseModelArguments(text), text).to.equal(text);
    expect(parseModelArguments(JSON.stringify('{"a":1'))).to.equal('{"a":1');
    expect(parseModelArguments('"a text"')).to.equal('a text');
    expect(parseModelArguments('{"a":"\\u0000"}')).to.equal('{"a":"\\u0000"}');
  });
});
