import { expect } from 'chai';
import { ToolCalls } from './tool-calls.js';

describe('ToolCalls', () => {
  type Part = Parameters<ToolCalls['add']>[0];

  function put(...parts: readonly Part[]) {
    const calls = new ToolCalls('turn-1');
    for (const part of parts) calls.add(part);
    return calls.complete().map(({ id, name, arguments: given }) => [id, name, given]);
  }

  const call = (name: string, more: Partial<Part> & { readonly given?: unknown } = {}): Part => ({
    ...more,
    function: { name, arguments: more.given },
  });
  const more = (given: string, index?: number): Part => ({
    ...(index === undefined ? {} : { index }),
    function: { arguments: given },
  });

  it('should go by the index, in whatever order parts come', () => {
    expect(
      put(
        call('a', { index: 0, id: '1' }),
        call('b', { index: 1, id: '2' }),
        more('{"x":', 1),
        more('{"y":1}', 0),
        more('2}', 1),
      ),
    ).to.deep.equal([
      ['1', 'a', { y: 1 }],
      ['2', 'b', { x: 2 }],
    ]);
  });

  it('should go by the id where all calls have the same index', () => {
    expect(
      put(
        call('a', { index: 0, id: '1', given: '{}' }),
        call('b', { index: 0, id: '2', given: '{"x":' }),
        more('1}', 0),
      ),
    ).to.deep.equal([
      ['1', 'a', {}],
      ['2', 'b', { x: 1 }],
    ]);
  });

  it('should take calls without an index one after the other', () => {
    expect(
      put(call('a', { id: '1', given: '{"x":' }), more('1}'), call('b', { id: '2' }), more('{}'), {
        id: '1',
        function: { arguments: '' },
      }),
    ).to.deep.equal([
      ['1', 'a', { x: 1 }],
      ['2', 'b', {}],
    ]);
    expect(
      put(call('a', { given: { ready: true } }), call('a', { given: '' })).map(([, ...rest]) => rest),
    ).to.deep.equal([
      ['a', { ready: true }],
      ['a', {}],
    ]);
  });

  it('should make up ids that are missing or not unique, always the same', () => {
    const ids = () =>
      put(call('a', { index: 0 }), call('a', { index: 1, id: 'same' }), call('a', { index: 2, id: 'same' })).map(
        ([id]) => id,
      );

    expect(new Set(ids()).size).to.equal(3);
    expect(ids()).to.deep.equal(ids()).and.to.include('same');
  });

  it('should give as text what is no JSON, or none that can be kept', () => {
    for (const given of [
      '{"x": 1',
      'x',
      '{"__proto__": {}}',
      '['.repeat(100) + ']'.repeat(100),
      '{"x": "\\u0000"}',
      '{"x": "\\ud800"}',
    ]) {
      expect(put(call('a', { id: '1', given }))[0]?.[2], given).to.equal(given);
    }
    expect(put(call('a', { id: '1', given: 'x\0\ud800' }))[0]?.[2]).to.equal('x\ufffd');
  });

  it('should make names of it that the API takes back', () => {
    expect(
      put(call('issue.read <b>', { id: '1' }), call('x'.repeat(100), { id: '2' })).map(([, name]) => name),
    ).to.deep.equal(['issue_read__b_', 'x'.repeat(64)]);
  });
});
