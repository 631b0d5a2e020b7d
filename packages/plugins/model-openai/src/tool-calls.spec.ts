import { expect } from 'chai';
import { ToolCalls } from './tool-calls.js';

describe('ToolCalls', () => {
  type Part = Parameters<ToolCalls['add']>[0];

  function assembleCalls(...parts: readonly Part[]) {
    const calls = new ToolCalls('turn-1');
    for (const part of parts) calls.add(part);
    return calls.complete().map(({ id, name, arguments: args }) => [id, name, args]);
  }

  const callPart = (name: string, overrides: Partial<Part> & { readonly args?: unknown } = {}): Part => ({
    ...overrides,
    function: { name, arguments: overrides.args },
  });
  const more = (given: string, index?: number): Part => ({
    ...(index === undefined ? {} : { index }),
    function: { arguments: given },
  });

  it('should assign parts to calls by index, in any order', () => {
    expect(
      assembleCalls(
        callPart('a', { index: 0, id: '1' }),
        callPart('b', { index: 1, id: '2' }),
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
      assembleCalls(
        callPart('a', { index: 0, id: '1', args: '{}' }),
        callPart('b', { index: 0, id: '2', args: '{"x":' }),
        more('1}', 0),
      ),
    ).to.deep.equal([
      ['1', 'a', {}],
      ['2', 'b', { x: 1 }],
    ]);
  });

  it('should treat calls without an index as consecutive', () => {
    expect(
      assembleCalls(callPart('a', { id: '1', args: '{"x":' }), more('1}'), callPart('b', { id: '2' }), more('{}'), {
        id: '1',
        function: { arguments: '' },
      }),
    ).to.deep.equal([
      ['1', 'a', { x: 1 }],
      ['2', 'b', {}],
    ]);
    expect(
      assembleCalls(callPart('a', { args: { ready: true } }), callPart('a', { args: '{}' })).map(
        ([, ...nameAndArguments]) => nameAndArguments,
      ),
    ).to.deep.equal([
      ['a', { ready: true }],
      ['a', {}],
    ]);
  });

  describe('from servers that number or name parts differently', () => {
    const ARGUMENTS_A = '{"name":"a"}';
    const ARGUMENTS_B = '{"name":"b"}';
    const runInputsPart = (args: string, overrides: Partial<Part> = {}): Part =>
      callPart('run_inputs', { ...overrides, args });
    const rest = (args: string, overrides: Partial<Part>): Part => ({ ...overrides, function: { arguments: args } });

    /** Parts and the expected name and arguments of each call. */
    const SEPARABLE_CASES: Readonly<Record<string, readonly [parts: readonly Part[], calls: readonly unknown[]]>> = {
      'two calls with one index and no ids': [
        [runInputsPart(ARGUMENTS_A, { index: 0, id: '' }), callPart('artifact_list', { index: 0, id: '', args: '{}' })],
        [
          ['run_inputs', { name: 'a' }],
          ['artifact_list', {}],
        ],
      ],
      'two calls of one tool with one index and no ids': [
        [runInputsPart(ARGUMENTS_A, { index: 0 }), runInputsPart(ARGUMENTS_B, { index: 0 })],
        [
          ['run_inputs', { name: 'a' }],
          ['run_inputs', { name: 'b' }],
        ],
      ],
      'a call followed by an empty part': [
        [runInputsPart(ARGUMENTS_A, { index: 0, id: 'c' }), callPart('', { index: 1, id: '', args: '' })],
        [['run_inputs', { name: 'a' }]],
      ],
      'two equal calls with one index and no ids': [
        [runInputsPart(ARGUMENTS_A, { index: 0 }), runInputsPart(ARGUMENTS_A, { index: 0 })],
        [
          ['run_inputs', { name: 'a' }],
          ['run_inputs', { name: 'a' }],
        ],
      ],
      'two calls with one index and one id': [
        [runInputsPart(ARGUMENTS_A, { index: 0, id: 'c' }), runInputsPart(ARGUMENTS_B, { index: 0, id: 'c' })],
        [
          ['run_inputs', { name: 'a' }],
          ['run_inputs', { name: 'b' }],
        ],
      ],
      'two calls with one id and no index': [
        [runInputsPart(ARGUMENTS_A, { id: 'c' }), runInputsPart(ARGUMENTS_B, { id: 'c' })],
        [
          ['run_inputs', { name: 'a' }],
          ['run_inputs', { name: 'b' }],
        ],
      ],
      'two calls with invalid indices': [
        [runInputsPart(ARGUMENTS_A, { index: null }), runInputsPart(ARGUMENTS_B, { index: -1 })],
        [
          ['run_inputs', { name: 'a' }],
          ['run_inputs', { name: 'b' }],
        ],
      ],
      'calls whose indices are strings': [
        [
          runInputsPart('{"name":', { index: '0' }),
          runInputsPart(ARGUMENTS_B, { index: '1' }),
          rest('"a"}', { index: '0' }),
        ],
        [
          ['run_inputs', { name: 'a' }],
          ['run_inputs', { name: 'b' }],
        ],
      ],
      'calls in parts with one id but different indices': [
        [
          runInputsPart('', { index: 0, id: 'c' }),
          runInputsPart('', { index: 1, id: 'c' }),
          rest(ARGUMENTS_B, { index: 1 }),
          rest(ARGUMENTS_A, { index: 0 }),
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
        [runInputsPart('{}', { index: 0 }), runInputsPart('{}', { index: 1 })],
        [
          ['run_inputs', {}],
          ['run_inputs', {}],
        ],
      ],
      'calls in parts that differ only in their ids': [
        [
          runInputsPart('', { id: 'a' }),
          runInputsPart('', { id: 'b' }),
          rest(ARGUMENTS_A, { id: 'a' }),
          rest(ARGUMENTS_B, { id: 'b' }),
        ],
        [
          ['run_inputs', { name: 'a' }],
          ['run_inputs', { name: 'b' }],
        ],
      ],
      'a call with another id in each part': [
        [
          runInputsPart('', { index: 0, id: 'c1' }),
          rest('{"na', { index: 0, id: 'c2' }),
          rest('me":"a"}', { index: 0, id: 'c3' }),
        ],
        [['run_inputs', { name: 'a' }]],
      ],
      'a call with another id in each part, one of them empty': [
        [runInputsPart('', { id: 'c1' }), rest(ARGUMENTS_A, { id: 'c2' }), rest('', { id: 'c3' })],
        [['run_inputs', { name: 'a' }]],
      ],
      'a call with another id and the name in each part': [
        [
          runInputsPart('', { index: 0, id: 'c1' }),
          runInputsPart('{"na', { index: 0, id: 'c2' }),
          runInputsPart('me":"a"}', { index: 0, id: 'c3' }),
        ],
        [['run_inputs', { name: 'a' }]],
      ],
      'a call with the name in each part': [
        [
          runInputsPart('', { index: 0, id: 'c' }),
          runInputsPart('{"na', { index: 0 }),
          runInputsPart('me":"a"}', { index: 0 }),
          runInputsPart('', { index: 0 }),
        ],
        [['run_inputs', { name: 'a' }]],
      ],
      'an id after the name': [[runInputsPart(''), rest(ARGUMENTS_A, { id: 'c1' })], [['run_inputs', { name: 'a' }]]],
      'an id after the name, with an index': [
        [runInputsPart('', { index: 0 }), rest(ARGUMENTS_A, { index: 0, id: 'c1' })],
        [['run_inputs', { name: 'a' }]],
      ],
      'a name after the arguments': [[rest('{"name":', {}), runInputsPart('"a"}')], [['run_inputs', { name: 'a' }]]],
      'arguments in a property with another name': [
        [
          { index: 0, id: 'c1', function: { name: 'run_inputs', parameters: { name: 'a' } } },
          { index: 1, id: 'c2', function: { name: 'run_inputs', input: ARGUMENTS_B } },
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
        [{ index: 0, id: 'c', arguments: ARGUMENTS_A, function: { name: 'run_inputs', arguments: ARGUMENTS_A } }],
        [['run_inputs', { name: 'a' }]],
      ],
      'a call without arguments and a call with another id': [
        [runInputsPart('', { index: 0, id: 'c1' }), runInputsPart(ARGUMENTS_A, { index: 1, id: 'c2' })],
        [
          ['run_inputs', {}],
          ['run_inputs', { name: 'a' }],
        ],
      ],
      'braces and quotes within strings': [
        [runInputsPart('{"name":"} { \\" }{","x":"{}"}', { index: 0 })],
        [['run_inputs', { name: '} { " }{', x: '{}' }]],
      ],
    };

    for (const [description, [parts, calls]] of Object.entries(SEPARABLE_CASES)) {
      it(`should separate and assemble ${description}`, () => {
        const found = assembleCalls(...parts);
        expect(found.map(([, ...others]) => others)).to.deep.equal(calls);
        expect(new Set(found.map(([id]) => id)).size).to.equal(calls.length);
      });
    }

    const AMBIGUOUS_CASES: Readonly<Record<string, readonly Part[]>> = {
      'arguments of two calls without a second name': [
        runInputsPart(ARGUMENTS_A, { index: 0 }),
        rest(ARGUMENTS_B, { index: 0 }),
      ],
      'arguments of two calls in one string': [runInputsPart(`${ARGUMENTS_A} ${ARGUMENTS_B}`, { index: 0, id: 'c' })],
      'a second call without arguments that may be the end of the first': [
        runInputsPart(ARGUMENTS_A, { index: 0, id: 'c1' }),
        runInputsPart('', { index: 0, id: 'c2' }),
      ],
      'a call with another id and the name in each part, without an index': [
        runInputsPart('', { id: 'c1' }),
        runInputsPart('{"na', { id: 'c2' }),
        runInputsPart('me":"a"}', { id: 'c3' }),
      ],
      'a name in pieces': [
        callPart('run_', { index: 0, id: 'c' }),
        callPart('inputs', { index: 0, id: 'c', args: ARGUMENTS_A }),
      ],
      'a name in pieces, with the id in the first one': [
        callPart('run_', { index: 0, id: 'c', args: '' }),
        callPart('inputs', { index: 0, args: '' }),
        rest(ARGUMENTS_A, { index: 0 }),
      ],
      'a repeated call': [
        runInputsPart(ARGUMENTS_A, { index: 0, id: 'c' }),
        runInputsPart(`${ARGUMENTS_A} `, { index: 0, id: 'c' }),
      ],
      'a call with a placeholder before it': [
        runInputsPart('{}', { index: 0, id: 'c' }),
        runInputsPart(ARGUMENTS_A, { index: 0, id: 'c' }),
      ],
      'a call with a placeholder after it': [runInputsPart(ARGUMENTS_A, { id: 'c' }), runInputsPart('{}', { id: 'c' })],
      'a complete call after a call without arguments and with another id': [
        runInputsPart('', { index: 0, id: 'c1' }),
        runInputsPart(ARGUMENTS_A, { index: 0, id: 'c2' }),
      ],
      'a call with another index in each part': [
        runInputsPart('', { index: 0, id: 'c' }),
        runInputsPart(ARGUMENTS_A, { index: 1, id: 'c' }),
      ],
      'a call with another index in each part and no ids': [
        runInputsPart('', { index: 0 }),
        runInputsPart(ARGUMENTS_A, { index: 1 }),
      ],
      'a call with another index in each part and the id only in the first part': [
        runInputsPart('', { index: 0, id: 'c' }),
        runInputsPart(ARGUMENTS_A, { index: 1 }),
      ],
      'a call that ends with its name at another index': [
        runInputsPart(ARGUMENTS_A, { index: 0, id: 'c' }),
        runInputsPart('', { index: 1, id: 'c' }),
      ],
      'a placeholder at another index': [
        runInputsPart('{}', { index: 0, id: 'c' }),
        runInputsPart(ARGUMENTS_A, { index: 1, id: 'c' }),
      ],
      'two calls without arguments that have one index and two ids': [
        runInputsPart('', { index: 0, id: 'c1' }),
        runInputsPart('', { index: 0, id: 'c2' }),
      ],
      'two calls without arguments that have one index and two ids, and arguments of one': [
        runInputsPart('', { index: 0, id: 'c1' }),
        runInputsPart('', { index: 0, id: 'c2' }),
        rest(ARGUMENTS_A, { index: 0 }),
      ],
      'different arguments in two properties': [
        { index: 0, id: 'c', function: { name: 'run_inputs', arguments: ARGUMENTS_A, parameters: ARGUMENTS_B } },
      ],
      'different arguments inside the function and next to it': [
        { index: 0, id: 'c', arguments: ARGUMENTS_B, function: { name: 'run_inputs', arguments: ARGUMENTS_A } },
      ],
      'another id after a complete call': [runInputsPart(ARGUMENTS_A, { id: 'c1' }), rest(ARGUMENTS_B, { id: 'c2' })],
      'arguments without any name': [rest(ARGUMENTS_A, { index: 0, id: 'c' })],
    };

    for (const [description, parts] of Object.entries(AMBIGUOUS_CASES)) {
      it(`should refuse ${description}`, () => {
        expect(() => assembleCalls(...parts))
          .to.throw()
          .that.includes({ code: 'model_answer_malformed', retryable: true });
      });
    }

    it('should refuse too many parts of a call, and read long arguments in linear time', () => {
      const parts = Array.from({ length: 20_000 }, () => runInputsPart('{"a":{}} ', { index: 0, id: 'c' }));
      expect(() => assembleCalls(runInputsPart('{"x":"', { index: 0, id: 'c' }), ...parts)).to.throw('too many parts');
      const longArguments = JSON.stringify({ name: 'a'.repeat(8_000_000) });
      expect(assembleCalls(runInputsPart(longArguments, { index: 0, id: 'c' }))[0]?.[2])
        .to.have.property('name')
        .with.length(8_000_000);
    });

    it('should read unterminated arguments in linear time', () => {
      const unterminatedArguments = `{"a":"${'\\"{'.repeat(200_000)}\\`;
      expect(assembleCalls(callPart('a', { id: '1', args: unterminatedArguments }))[0]?.[2]).to.equal(
        unterminatedArguments,
      );
    });
  });

  it('should generate stable unique ids if ids are missing or not unique', () => {
    const generateIds = () =>
      assembleCalls(
        callPart('a', { index: 0, args: '{"x":1}' }),
        callPart('a', { index: 1, id: 'same', args: '{"x":2}' }),
        callPart('a', { index: 2, id: 'same', args: '{"x":3}' }),
      ).map(([id]) => id);

    expect(new Set(generateIds()).size).to.equal(3);
    expect(generateIds()).to.deep.equal(generateIds()).and.to.include('same');
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
      expect(assembleCalls(callPart('a', { id: '1', args: given }))[0]?.[2], given).to.equal(given);
    }
    expect(assembleCalls(callPart('a', { id: '1', args: 'x\0\ud800' }))[0]?.[2]).to.equal('x\ufffd');
  });

  it('should convert tool names to names that the API accepts', () => {
    expect(
      assembleCalls(callPart('issue.read <b>', { id: '1' }), callPart('x'.repeat(100), { id: '2' })).map(
        ([, name]) => name,
      ),
    ).to.deep.equal(['issue_read__b_', 'x'.repeat(64)]);
  });
});
