import { expect } from 'chai';
import { JSON_CHUNK, buildJsonRows, findPathsToDepth } from './json-rows.js';

const COLLAPSED_STATE = { expanded: new Set<string>(), visibleCounts: new Map<string, number>() };

describe('JSON rows', () => {
  it('should list expanded members in order with level, position and size', () => {
    // given
    const value = { 'a': [1, { b: null }], 'c/d': 'x', 'e': {} };
    // when
    const rows = buildJsonRows(value, { ...COLLAPSED_STATE, expanded: new Set(['', '/a', '/e']) });
    // then
    expect(
      rows.map(({ path, level, position, siblingCount: siblings, size, expanded }) => [
        path,
        level,
        `${position}/${siblings}`,
        size,
        expanded,
      ]),
    ).to.deep.equal([
      ['', 1, '1/1', 3, true],
      ['/a', 2, '1/3', 2, true],
      ['/a/0', 3, '1/2', undefined, false],
      ['/a/1', 3, '2/2', 1, false],
      ['/c~1d', 2, '2/3', undefined, false],
      ['/e', 2, '3/3', 0, false],
    ]);
  });

  it('should list the first members of a long value and the number of hidden members', () => {
    // given
    const value = Array.from({ length: JSON_CHUNK + 7 }, (_, i) => i);
    // when
    const firstRows = buildJsonRows(value, { ...COLLAPSED_STATE, expanded: new Set(['']) });
    const allRows = buildJsonRows(value, { expanded: new Set(['']), visibleCounts: new Map([['', 2 * JSON_CHUNK]]) });
    // then
    expect([firstRows.length, firstRows.at(-1)?.hiddenCount, firstRows.at(-1)?.path]).to.deep.equal([
      JSON_CHUNK + 2,
      7,
      '/…',
    ]);
    expect([allRows.length, allRows.at(-1)?.value]).to.deep.equal([JSON_CHUNK + 8, JSON_CHUNK + 6]);
  });

  it('should list members that are named like inherited properties', () => {
    const value = JSON.parse('{"__proto__": {"x": 1}, "constructor": 2, "hasOwnProperty": 3}') as never;
    expect(
      buildJsonRows(value, { ...COLLAPSED_STATE, expanded: new Set(['', '/__proto__']) }).map(
        ({ path, value: member }) => [path, typeof member],
      ),
    ).to.deep.equal([
      ['', 'object'],
      ['/__proto__', 'object'],
      ['/__proto__/x', 'number'],
      ['/constructor', 'number'],
      ['/hasOwnProperty', 'number'],
    ]);
  });

  it('should expand to the given depth and stop at the maximum number of rows', () => {
    // given
    const value = { a: { b: { c: 1 } }, d: [] };
    const wide = Array.from({ length: 400 }, () => Array.from({ length: 400 }, () => [1]));
    // then
    expect([...findPathsToDepth(value, 2)]).to.deep.equal(['', '/a']);
    expect([...findPathsToDepth(value, Number.POSITIVE_INFINITY)]).to.deep.equal(['', '/a', '/a/b']);
    expect(
      buildJsonRows(wide, { ...COLLAPSED_STATE, expanded: findPathsToDepth(wide, Number.POSITIVE_INFINITY) }).length,
    ).to.be.within(400, 5_001);
  });

  it('should handle a value that is nested deeper than the call stack', () => {
    // given
    let value: never[] = [];
    for (let i = 0; i < 50_000; i += 1) value = [value] as unknown as never[];
    // when
    const paths = findPathsToDepth(value, 200);
    // then
    expect(buildJsonRows(value, { ...COLLAPSED_STATE, expanded: paths })).to.have.length(201);
  });
});
