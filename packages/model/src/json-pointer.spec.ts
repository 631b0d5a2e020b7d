import { expect } from 'chai';
import { escapePointer, pathToPointer, unescapePointer, getValueAtPointer } from './json-pointer.js';

describe('JSON Pointers', () => {
  // The example document of RFC 6901, 5.
  const document = { 'foo': ['bar', 'baz'], '': 0, 'a/b': 1, 'c%d': 2, 'm~n': 8, ' ': 7 };

  it('should resolve to the values of RFC 6901', () => {
    const values = ['', '/foo', '/foo/0', '/', '/a~1b', '/c%d', '/m~0n', '/ '].map((pointer) =>
      getValueAtPointer(document, pointer),
    );

    expect(values).to.deep.equal([document, ['bar', 'baz'], 'bar', 0, 1, 2, 8, 7]);
  });

  it('should resolve only to own members', () => {
    for (const pointer of ['/none', '/constructor', '/foo/2', '/foo/length/x', '/a~1b/c', '/__proto__'])
      expect(getValueAtPointer(document, pointer), pointer).to.equal(undefined);
  });

  it('should escape names and restore them', () => {
    for (const name of ['a/b', '~1', '~01', '/', '~', '']) expect(unescapePointer(escapePointer(name))).to.equal(name);
    expect(pathToPointer(['a/b', 0, '~'])).to.equal('/a~1b/0/~0');
    expect(pathToPointer([])).to.equal('');
  });
});
