import { expect } from 'chai';
import { modelArguments } from './model-text.js';

describe('modelArguments()', () => {
  it('should be none where the model gives nothing in any form', () => {
    for (const text of ['', ' \n', 'null', ' null ', '""', '" "', '"null"', '{}', '"{}"'])
      expect(modelArguments(text), text).to.deep.equal({});
  });

  it('should be JSON as it is, also where it was written into a text', () => {
    expect(modelArguments('{"a":[1,null,"null"]}')).to.deep.equal({ a: [1, null, 'null'] });
    expect(modelArguments(JSON.stringify('{"a":{"b":"{}"}}'))).to.deep.equal({ a: { b: '{}' } });
    expect(modelArguments('[null]')).to.deep.equal([null]);
    expect(modelArguments('false')).to.equal(false);
  });

  it('should be the text where it is no JSON, or none that can be kept', () => {
    for (const text of ['{"a":1', '{"a":1}{"b":2}', 'nothing', '{"a":9007199254740993}'])
      expect(modelArguments(text), text).to.equal(text);
    expect(modelArguments(JSON.stringify('{"a":1'))).to.equal('{"a":1');
    expect(modelArguments('"a text"')).to.equal('a text');
    expect(modelArguments('{"a":"\\u0000"}')).to.equal('{"a":"\\u0000"}');
  });
});
