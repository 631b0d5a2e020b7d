import { expect } from 'chai';
import { findJsonEnd } from './find-json-end.js';

describe('findJsonEnd()', () => {
  const readJson = (text: string, start = 0): string | undefined => {
    const end = findJsonEnd(text, start);
    return end === undefined ? undefined : text.slice(start, end);
  };

  it('should find the end of a value whose strings contain brackets and quotes', () => {
    expect(readJson('{}{}')).to.equal('{}');
    expect(readJson('So: {"a":[{}],"b":"} \\" ]"} it is', 4)).to.equal('{"a":[{}],"b":"} \\" ]"}');
    expect(readJson('[{"a":"\\\\"}]"')).to.equal('[{"a":"\\\\"}]');
  });

  it('should return undefined for an unclosed value', () => {
    for (const text of ['{', '{"a":"}', '{"a":"\\', '[{}', '{"a":[}'])
      expect(findJsonEnd(text, 0), text).to.equal(undefined);
  });
});
