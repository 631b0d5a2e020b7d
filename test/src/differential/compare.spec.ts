import { expect } from 'chai';
import { compareRuns } from './compare.js';
import type { ObservedRun } from './side.js';

const RUN: ObservedRun = {
  processId: 'case',
  status: 'completed',
  completed: { case: ['start', 'a', 'b'], sub: ['c'] },
  terminated: ['d', 'e'],
  incidents: [],
  variables: { x: 1, list: [1, { y: null }] },
};

describe('Differential: the comparison', () => {
  it('should find two runs the same that are', () => {
    // when
    const differences = compareRuns([RUN], [structuredClone(RUN)]);

    // then
    expect(differences).to.deep.equal([]);
  });

  it('should not ask in which order scopes began, elements were terminated, or variables were made', () => {
    // given
    const other = {
      ...RUN,
      completed: { sub: ['c'], case: ['start', 'a', 'b'] },
      terminated: ['e', 'd'],
      variables: { list: [1, { y: null }], x: 1 },
    };

    // when
    const differences = compareRuns([RUN], [other]);

    // then
    expect(differences).to.deep.equal([]);
  });

  it('should leave out the decision, which Zeebe does not know', () => {
    expect(
      compareRuns([{ ...RUN, variables: { ...RUN.variables, approval: { decision: 'approve' } } }], [RUN]),
    ).to.deep.equal([]);
  });

  const different: [string, Partial<ObservedRun>, string][] = [
    [
      'another order',
      { completed: { case: ['start', 'b', 'a'], sub: ['c'] } },
      'case: order in case: ours ["start","a","b"], Zeebe ["start","b","a"]',
    ],
    [
      'a scope that is not there',
      { completed: { case: ['start', 'a', 'b'] } },
      'case: order in sub: ours ["c"], Zeebe []',
    ],
    ['another end', { status: 'waits' }, 'case: status: ours "completed", Zeebe "waits"'],
    [
      'an element that was not terminated',
      { terminated: ['d'] },
      'case: ended before their time: ours ["d","e"], Zeebe ["d"]',
    ],
    ['an incident', { incidents: ['a'] }, 'case: incidents: ours [], Zeebe ["a"]'],
    ['another value', { variables: { ...RUN.variables, x: '1' } }, 'case: variable x: ours 1, Zeebe "1"'],
    [
      'a variable that is null, and one that is none',
      { variables: { ...RUN.variables, z: null } },
      'case: variable z: ours none, Zeebe null',
    ],
  ];
  for (const [title, change, difference] of different) {
    it(`should tell of ${title}`, () => {
      expect(compareRuns([RUN], [{ ...RUN, ...change }])).to.deep.equal([difference]);
    });
  }

  it('should tell of runs that only one of them has', () => {
    expect(compareRuns([RUN], [RUN, RUN])).to.deep.equal(['runs of "case": ours 1, Zeebe 2']);
  });

  it('should compare the runs of one process in the order in which they began', () => {
    expect(compareRuns([RUN, { ...RUN, variables: {} }], [RUN, { ...RUN, variables: { x: 2 } }])).to.deep.equal([
      'case#2: variable x: ours none, Zeebe 2',
    ]);
  });
});
