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

  it('should assign parts to calls by index, in any order', () => {
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

  it('should assign parts to calls by id if all calls have the same index', () => {
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

  it('should treat calls without an index as consecutive', () => {
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
      put(call('a', { given: { ready: true } }), call('a', { given: '{}' })).map(([, ...rest]) => rest),
    ).to.deep.equal([
      ['a', { ready: true }],
      ['a', {}],
    ]);
  });

  describe('from servers that number or name parts differently', () => {
    const A = '{"name":"a"}';
    const B = '{"name":"b"}';
    const inputs = (given: string, of: Partial<Part> = {}): Part => call('run_inputs', { ...of, given });
    const rest = (given: string, of: Partial<Part>): Part => ({ ...of, function: { arguments: given } });

    /** Parts and the expected name and arguments of each call. */
    const UNDERSTOOD: Readonly<Record<string, readonly [parts: readonly Part[], calls: readonly unknown[]]>> = {
      'two calls with one index and no ids': [
        [inputs(A, { index: 0, id: '' }), call('artifact_list', { index: 0, id: '', given: '{}' })],
        [
          ['run_inputs', { name: 'a' }],
          ['artifact_list', {}],
        ],
      ],
      'two calls of one tool with one index and no ids': [
        [inputs(A, { index: 0 }), inputs(B, { index: 0 })],
        [
          ['run_inputs', { name: 'a' }],
          ['run_inputs', { name: 'b' }],
        ],
      ],
      'a call followed by an empty part': [
        [inputs(A, { index: 0, id: 'c' }), call('', { index: 1, id: '', given: '' })],
        [['run_inputs', { name: 'a' }]],
      ],
      'two equal calls with one index and no ids': [
        [inputs(A, { index: 0 }), inputs(A, { index: 0 })],
        [
          ['run_inputs', { name: 'a' }],
          ['run_inputs', { name: 'a' }],
        ],
      ],
      'two calls with one index and one id': [
        [inputs(A, { index: 0, id: 'c' }), inputs(B, { index: 0, id: 'c' })],
        [
          ['run_inputs', { name: 'a' }],
          ['run_inputs', { name: 'b' }],
        ],
      ],
      'two calls with one id and no index': [
        [inputs(A, { id: 'c' }), inputs(B, { id: 'c' })],
        [
          ['run_inputs', { name: 'a' }],
          ['run_inputs', { name: 'b' }],
        ],
      ],
      'two calls with invalid indices': [
        [inputs(A, { index: null }), inputs(B, { index: -1 })],
        [
          ['run_inputs', { name: 'a' }],
          ['run_inputs', { name: 'b' }],
        ],
      ],
      'calls whose indices are strings': [
        [inputs('{"name":', { index: '0' }), inputs(B, { index: '1' }), rest('"a"}', { index: '0' })],
        [
          ['run_inputs', { name: 'a' }],
          ['run_inputs', { name: 'b' }],
        ],
      ],
      'calls in parts with one id but different indices': [
        [
          inputs('', { index: 0, id: 'c' }),
          inputs('', { index: 1, id: 'c' }),
          rest(B, { index: 1 }),
          rest(A, { index: 0 }),
        ],
        [
          ['run_inputs', { name: 'a' }],
          ['run_inputs', { name: 'b' }],
        ],
      ],
      'arguments in several properties that are equal or empty': [
        [
          {
            index: 0,
            function: { name: 'run_inputs', arguments: '{"name": "a"}', parameters: {} },
            args: { name: 'a' },
          },
        ],
        [['run_inputs', { name: 'a' }]],
      ],
      'two calls without arguments that differ only in their indices': [
        [inputs('{}', { index: 0 }), inputs('{}', { index: 1 })],
        [
          ['run_inputs', {}],
          ['run_inputs', {}],
        ],
      ],
      'calls in parts that differ only in their ids': [
        [inputs('', { id: 'a' }), inputs('', { id: 'b' }), rest(A, { id: 'a' }), rest(B, { id: 'b' })],
        [
          ['run_inputs', { name: 'a' }],
          ['run_inputs', { name: 'b' }],
        ],
      ],
      'a call with another id in each part': [
        [
          inputs('', { index: 0, id: 'c1' }),
          rest('{"na', { index: 0, id: 'c2' }),
          rest('me":"a"}', { index: 0, id: 'c3' }),
        ],
        [['run_inputs', { name: 'a' }]],
      ],
      'a call with another id in each part, one of them empty': [
        [inputs('', { id: 'c1' }), rest(A, { id: 'c2' }), rest('', { id: 'c3' })],
        [['run_inputs', { name: 'a' }]],
      ],
      'a call with another id and the name in each part': [
        [
          inputs('', { index: 0, id: 'c1' }),
          inputs('{"na', { index: 0, id: 'c2' }),
          inputs('me":"a"}', { index: 0, id: 'c3' }),
        ],
        [['run_inputs', { name: 'a' }]],
      ],
      'a call with the name in each part': [
        [
          inputs('', { index: 0, id: 'c' }),
          inputs('{"na', { index: 0 }),
          inputs('me":"a"}', { index: 0 }),
          inputs('', { index: 0 }),
        ],
        [['run_inputs', { name: 'a' }]],
      ],
      'an id after the name': [[inputs(''), rest(A, { id: 'c1' })], [['run_inputs', { name: 'a' }]]],
      'an id after the name, with an index': [
        [inputs('', { index: 0 }), rest(A, { index: 0, id: 'c1' })],
        [['run_inputs', { name: 'a' }]],
      ],
      'a name after the arguments': [[rest('{"name":', {}), inputs('"a"}')], [['run_inputs', { name: 'a' }]]],
      'arguments in a property with another name': [
        [
          { index: 0, id: 'c1', function: { name: 'run_inputs', parameters: { name: 'a' } } },
          { index: 1, id: 'c2', function: { name: 'run_inputs', input: B } },
        ],
        [
          ['run_inputs', { name: 'a' }],
          ['run_inputs', { name: 'b' }],
        ],
      ],
      'arguments next to the function in pieces, one of them white space': [
        [
          { index: 0, id: 'c', arguments: '{"name":', function: { name: 'run_inputs', arguments: '' } },
          { index: 0, arguments: ' ' },
          { index: 0, arguments: '"a"}' },
        ],
        [['run_inputs', { name: 'a' }]],
      ],
      'the same arguments in two properties': [
        [{ index: 0, id: 'c', arguments: A, function: { name: 'run_inputs', arguments: A } }],
        [['run_inputs', { name: 'a' }]],
      ],
      'a call without arguments and a call with another id': [
        [inputs('', { index: 0, id: 'c1' }), inputs(A, { index: 1, id: 'c2' })],
        [
          ['run_inputs', {}],
          ['run_inputs', { name: 'a' }],
        ],
      ],
      'braces and quotes within strings': [
        [inputs('{"name":"} { \\" }{","x":"{}"}', { index: 0 })],
        [['run_inputs', { name: '} { " }{', x: '{}' }]],
      ],
    };

    for (const [what, [parts, calls]] of Object.entries(UNDERSTOOD)) {
      it(`should separate and assemble ${what}`, () => {
        const found = put(...parts);
        expect(found.map(([, ...others]) => others)).to.deep.equal(calls);
        expect(new Set(found.map(([id]) => id)).size).to.equal(calls.length);
      });
    }

    const AMBIGUOUS: Readonly<Record<string, readonly Part[]>> = {
      'arguments of two calls without a second name': [inputs(A, { index: 0 }), rest(B, { index: 0 })],
      'arguments of two calls in one string': [inputs(`${A} ${B}`, { index: 0, id: 'c' })],
      'a second call without arguments that may be the end of the first': [
        inputs(A, { index: 0, id: 'c1' }),
        inputs('', { index: 0, id: 'c2' }),
      ],
      'a call with another id and the name in each part, without an index': [
        inputs('', { id: 'c1' }),
        inputs('{"na', { id: 'c2' }),
        inputs('me":"a"}', { id: 'c3' }),
      ],
      'a name in pieces': [call('run_', { index: 0, id: 'c' }), call('inputs', { index: 0, id: 'c', given: A })],
      'a name in pieces, with the id in the first one': [
        call('run_', { index: 0, id: 'c', given: '' }),
        call('inputs', { index: 0, given: '' }),
        rest(A, { index: 0 }),
      ],
      'a repeated call': [inputs(A, { index: 0, id: 'c' }), inputs(`${A} `, { index: 0, id: 'c' })],
      'a call with a placeholder before it': [inputs('{}', { index: 0, id: 'c' }), inputs(A, { index: 0, id: 'c' })],
      'a call with a placeholder after it': [inputs(A, { id: 'c' }), inputs('{}', { id: 'c' })],
      'a complete call after a call without arguments and with another id': [
        inputs('', { index: 0, id: 'c1' }),
        inputs(A, { index: 0, id: 'c2' }),
      ],
      'a call with another index in each part': [inputs('', { index: 0, id: 'c' }), inputs(A, { index: 1, id: 'c' })],
      'a call with another index in each part and no ids': [inputs('', { index: 0 }), inputs(A, { index: 1 })],
      'a call with another index in each part and the id only in the first part': [
        inputs('', { index: 0, id: 'c' }),
        inputs(A, { index: 1 }),
      ],
      'a call that ends with its name at another index': [
        inputs(A, { index: 0, id: 'c' }),
        inputs('', { index: 1, id: 'c' }),
      ],
      'a placeholder at another index': [inputs('{}', { index: 0, id: 'c' }), inputs(A, { index: 1, id: 'c' })],
      'two calls without arguments that have one index and two ids': [
        inputs('', { index: 0, id: 'c1' }),
        inputs('', { index: 0, id: 'c2' }),
      ],
      'two calls without arguments that have one index and two ids, and arguments of one': [
        inputs('', { index: 0, id: 'c1' }),
        inputs('', { index: 0, id: 'c2' }),
        rest(A, { index: 0 }),
      ],
      'different arguments in two properties': [
        { index: 0, id: 'c', function: { name: 'run_inputs', arguments: A, parameters: B } },
      ],
      'different arguments inside the function and next to it': [
        { index: 0, id: 'c', arguments: B, function: { name: 'run_inputs', arguments: A } },
      ],
      'another id after a complete call': [inputs(A, { id: 'c1' }), rest(B, { id: 'c2' })],
      'arguments without any name': [rest(A, { index: 0, id: 'c' })],
    };

    for (const [what, parts] of Object.entries(AMBIGUOUS)) {
      it(`should refuse ${what}`, () => {
        expect(() => put(...parts))
          .to.throw()
          .that.includes({ code: 'model_answer_malformed', retryable: true });
      });
    }

    it('should refuse too many parts of a call, and read long arguments in linear time', () => {
      const parts = Array.from({ length: 20_000 }, () => inputs('{"a":{}} ', { index: 0, id: 'c' }));
      expect(() => put(inputs('{"x":"', { index: 0, id: 'c' }), ...parts)).to.throw('too many parts');
      const long = JSON.stringify({ name: 'a'.repeat(8_000_000) });
      expect(put(inputs(long, { index: 0, id: 'c' }))[0]?.[2])
        .to.have.property('name')
        .with.length(8_000_000);
    });

    it('should read unterminated arguments in linear time', () => {
      const endless = `{"a":"${'\\"{'.repeat(200_000)}\\`;
      expect(put(call('a', { id: '1', given: endless }))[0]?.[2]).to.equal(endless);
    });
  });

  it('should generate stable unique ids if ids are missing or not unique', () => {
    const ids = () =>
      put(
        call('a', { index: 0, given: '{"x":1}' }),
        call('a', { index: 1, id: 'same', given: '{"x":2}' }),
        call('a', { index: 2, id: 'same', given: '{"x":3}' }),
      ).map(([id]) => id);

    expect(new Set(ids()).size).to.equal(3);
    expect(ids()).to.deep.equal(ids()).and.to.include('same');
  });

  it('should return the arguments as a string if they are invalid or unsafe JSON', () => {
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

  it('should convert tool names to names that the API accepts', () => {
    expect(
      put(call('issue.read <b>', { id: '1' }), call('x'.repeat(100), { id: '2' })).map(([, name]) => name),
    ).to.deep.equal(['issue_read__b_', 'x'.repeat(64)]);
  });
});
