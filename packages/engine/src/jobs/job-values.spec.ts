import { RetryableFailure, TerminalFailure } from '@countersign/core/plugin';
import { expect } from 'chai';
import { checkArtifact, toJobFailure, toJobResult } from './job-values.js';

describe('toJobResult()', () => {
  it('should return a copy of the output as it will be stored', () => {
    class Line {
      no = 1;
    }
    const output = { at: new Date(0), list: [1, undefined], nothing: undefined, inner: { a: 1 }, line: new Line() };
    const result = toJobResult(output);
    output.inner.a = 2;
    expect(result).to.deep.equal({
      at: '1970-01-01T00:00:00.000Z',
      list: [1, null],
      inner: { a: 1 },
      line: { no: 1 },
    });
    const fromAnotherRealm = Object.create(Object.create(null)) as object;
    expect(toJobResult({ a: Object.create(null), b: fromAnotherRealm })).to.deep.equal({ a: {}, b: {} });
  });

  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  const refused: Record<string, unknown> = {
    'NaN': { a: Number.NaN },
    'an infinite number': { a: [Infinity] },
    'a BigInt': { a: 1n },
    'a whole number that may have lost precision': { a: [JSON.parse('9007199254740993')] },
    'a circular reference': circle,
    'no value': undefined,
    'null': null,
    'a list': [],
    'a string': 'x',
    'a polluting key': JSON.parse('{"__proto__":1}'),
    'a polluting key returned by toJSON': { a: { toJSON: () => JSON.parse('{"__proto__":1}') as unknown } },
    'a NUL': { a: '\0' },
    'a map': { a: new Map([['b', 1]]) },
    'a set': { a: [new Set([1])] },
    'an ArrayBuffer': { a: Buffer.from('b').subarray(0).buffer },
    'a typed array': { a: new Uint8Array([1]) },
    'a promise': { a: Promise.resolve(1) },
    'a regular expression': { a: /b/ },
    'an error': { a: new Error('b') },
    'a function': { a: () => 1 },
    'a symbol': { a: Symbol('b') },
    'an invalid date': { a: new Date(Number.NaN) },
    'an instance without members': { a: new (class Money {})() },
    'a property that throws': {
      get a(): never {
        throw new Error('no');
      },
    },
  };
  for (const [description, output] of Object.entries(refused)) {
    it(`should permanently refuse ${description}`, () => {
      expect(() => toJobResult(output))
        .to.throw(TerminalFailure)
        .with.property('code', 'job_result_invalid');
    });
  }

  it('should report the location and the type of a value that is not JSON', () => {
    expect(() => toJobResult({ order: { lines: [1, new Map()] } })).to.throw(
      'At "/order/lines/1": An instance of Map cannot be converted to JSON. Return its content as an object, a list or a string.',
    );
  });
});

describe('checkArtifact()', () => {
  it('should refuse names and content types that are not valid in a download', () => {
    for (const name of ['', '.', '..', 'a/b', 'a\\b', 'a\0', 'a\r\nX: 1', '\ud800', 'x'.repeat(201)]) {
      expect(() => checkArtifact(name, 'text/plain'), JSON.stringify(name)).to.throw(TerminalFailure);
    }
    for (const type of ['', 'text', 'text/plain\r\nX: 1', 'text/plain; charset=\0', 'a/b; ä']) {
      expect(() => checkArtifact('a', type), JSON.stringify(type)).to.throw(TerminalFailure);
    }
    expect(() => checkArtifact('release notes.md', 'text/markdown; charset=utf-8')).not.to.throw();
  });
});

describe('toJobFailure()', () => {
  it('should convert any thrown value to a failure that can be stored', () => {
    const thrownValues: unknown[] = [
      Object.create(null),
      {
        toString: () => {
          throw new Error('no');
        },
      },
      Object.assign(new Error('x'), { message: { a: 1 } }),
      undefined,
      Symbol('x'),
    ];
    for (const thrown of thrownValues)
      expect(toJobFailure(thrown))
        .to.include({ code: 'job_failed', retryable: true })
        .and.have.property('message')
        .that.is.a('string');
    expect(toJobFailure(new TerminalFailure('c\0\ud800', 'm\0'))).to.deep.equal({
      code: 'c\ufffd',
      message: 'm',
      retryable: false,
    });
  });

  it('should ignore an invalid retry delay', () => {
    expect(toJobFailure(new RetryableFailure('busy', 'later', Number.NaN))).not.to.have.property('retryAfterMs');
    expect(toJobFailure(new RetryableFailure('busy', 'later', -1))).not.to.have.property('retryAfterMs');
    expect(toJobFailure(new RetryableFailure('busy', 'later', Infinity)).retryAfterMs).to.be.lessThan(1e12);
    expect(toJobFailure(new RetryableFailure('busy', 'later', 5)).retryAfterMs).to.equal(5);
  });
});
