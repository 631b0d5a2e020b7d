import { expect } from 'chai';
import { findVariableChanges } from './find-variable-changes.js';

describe('findVariableChanges', () => {
  it('should report added, changed and removed variables, and changes of their members', () => {
    // when
    const { marks, removed } = findVariableChanges(
      { a: 1, b: { c: 1, d: { e: 2 } }, list: [1], gone: true, same: { x: [] } },
      { a: 1, b: { c: 1, d: { 'e': 3, 'f/g': null } }, list: [1, 2], same: { x: [] }, fresh: {} },
    );
    // then
    expect([...marks]).to.deep.equal([
      ['/b', 'changed'],
      ['/b/d', 'changed'],
      ['/b/d/e', 'changed'],
      ['/b/d/f~1g', 'added'],
      ['/list', 'changed'],
      ['/fresh', 'added'],
    ]);
    expect(removed).to.deep.equal(['gone']);
  });

  it('should report a variable that is named like an inherited property', () => {
    expect([...findVariableChanges({}, JSON.parse('{"constructor": 1}') as never).marks]).to.deep.equal([
      ['/constructor', 'added'],
    ]);
  });

  it('should stop at 500 changes', () => {
    const manyVariables = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`v${i}`, i]));
    expect(findVariableChanges({}, manyVariables).marks.size).to.equal(500);
  });
});
