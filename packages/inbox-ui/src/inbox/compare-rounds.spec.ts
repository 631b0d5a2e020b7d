import type { JsonValue } from '@countersign/contract';
import { expect } from 'chai';
import { compareJson, compareRounds } from './compare-rounds.js';
import { createCallSubject, createApproval } from './inbox.spec.support.js';

describe('inbox: changes between rounds', () => {
  it('should report each changed, added and removed member and item', () => {
    const { changes, omittedCount } = compareJson(
      { a: 1, b: { 'c': [1, 2], 'd/e~': 'x' }, removed: true },
      { a: 1, b: { 'c': [1, 3, 4], 'd/e~': 'y' }, added: null },
    );
    expect(omittedCount).to.equal(0);
    expect(changes).to.deep.equal([
      { pointer: '/b/c/1', before: 2, after: 3 },
      { pointer: '/b/c/2', after: 4 },
      { pointer: '/b/d~1e~0', before: 'x', after: 'y' },
      { pointer: '/removed', before: true },
      { pointer: '/added', after: null },
    ]);
  });

  it('should report a list that becomes an object, and no change between equal values', () => {
    expect(compareJson({ a: [] }, { a: {} }).changes).to.deep.equal([{ pointer: '/a', before: [], after: {} }]);
    expect(compareJson({ a: [{ b: null }] }, { a: [{ b: null }] }).changes).to.deep.equal([]);
  });

  it('should handle wide and deep values and names of inherited properties', () => {
    const wide = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`n${index}`, index]));
    const { changes, omittedCount } = compareJson(wide, {});
    expect([changes.length, omittedCount]).to.deep.equal([200, 800]);
    let deepBefore: JsonValue = 1;
    let deepAfter: JsonValue = 2;
    for (let depth = 0; depth < 50_000; depth += 1) [deepBefore, deepAfter] = [{ a: deepBefore }, { a: deepAfter }];
    expect(compareJson(deepBefore, deepAfter).changes).to.have.length(1);
    expect(compareJson({}, { constructor: 'x', toString: 'y' }).changes).to.have.length(2);
  });

  it('should compare the arguments and the versions of the evidence', () => {
    const before = createApproval({
      subject: createCallSubject({
        evidence: [
          { name: 'notes', version: 1, sha256: 'a' },
          { name: 'same', version: 1, sha256: 'b' },
        ],
      }),
    });
    const after = createApproval({
      subject: createCallSubject({
        inputs: { to: 'bea@example.org', subject: 'Hello' },
        evidence: [
          { name: 'notes', version: 2, sha256: 'c' },
          { name: 'same', version: 1, sha256: 'b' },
          { name: 'new', version: 1, sha256: 'd' },
        ],
      }),
    });
    expect(compareRounds(before, after)).to.deep.equal({
      inputs: { changes: [{ pointer: '/to', before: 'ada@example.org', after: 'bea@example.org' }], omittedCount: 0 },
      evidence: [
        { name: 'notes', before: { version: 1, sha256: 'a' }, after: { version: 2, sha256: 'c' } },
        { name: 'new', before: null, after: { version: 1, sha256: 'd' } },
      ],
    });
  });
});
