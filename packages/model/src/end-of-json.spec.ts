import { expect } from 'chai';
import { endOfJson } from './end-of-json.js';

describe('endOfJson()', () => {
  const closed = (text: string, begin = 0): string | undefined => {
    const end = endOfJson(text, begin);
    return end === undefined ? undefined : text.slice(begin, end);
  };

  it('should find the end of a value regardless of its strings', () => {
    expect(closed('{}{}')).to.equal('{}');
    expect(closed('So: {"a":[{}],"b":"} \\" ]"} it is', 4)).to.equal('{"a":[{}],"b":"} \\" ]"}');
    expect(closed('[{"a":"\\\\"}]"')).to.equal('[{"a":"\\\\"}]');
  });

  it('should return no end for an unclosed value', () => {
    for (const text of ['{', '{"a":"}', '{"a":"\\', '[{}', '{"a":[}'])
      expect(endOfJson(text, 0), text).to.equal(undefined);
  });
});
