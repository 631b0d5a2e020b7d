import { expect } from 'chai';
import { findJsonProblem } from './json.js';

describe('findJsonProblem', () => {
  it('should find keys that could pollute a prototype at any depth', () => {
    for (const key of ['__proto__', 'constructor', 'prototype']) {
      // given
      const body: unknown = JSON.parse(`{"a/b":[{"${key}":{}}]}`);

      // when
      const problem = findJsonProblem(body);

      // then
      expect(problem).to.include({ pointer: `/a~1b/0/${key}`, code: 'polluting_key' });
    }
  });

  it('should refuse a million brackets without overflowing the stack', () => {
    // given
    let deep: unknown[] = [];
    for (let depth = 0; depth < 1_000_000; depth += 1) {
      deep = [deep];
    }

    // then
    expect(findJsonProblem(deep)).to.include({ code: 'too_deep' });
  });

  it('should refuse strings that cannot be stored or hashed', () => {
    expect(findJsonProblem({ a: 'x\0' })).to.include({ pointer: '/a', code: 'unstorable_text' });
    expect(findJsonProblem(['\ud800'])).to.include({ pointer: '/0', code: 'unstorable_text' });
    expect(findJsonProblem({ '\udc00': 1 })).to.include({ code: 'unstorable_text' });
  });

  it('should refuse numbers that parse to infinity', () => {
    expect(findJsonProblem(JSON.parse('{"a":[1e400]}'))).to.include({ pointer: '/a/0', code: 'number_too_large' });
    expect(findJsonProblem(JSON.parse('{"a":-1e400}'))).to.include({ pointer: '/a', code: 'number_too_large' });
    expect(findJsonProblem(JSON.parse('[1.7976931348623157e308, 5e-324, -0]'))).to.be.undefined;
  });

  it('should accept ordinary JSON', () => {
    expect(findJsonProblem({ a: [1, null, true, 'ü 😀'], b: { c: {} } })).to.be.undefined;
  });
});
