import { expect } from 'chai';
import { compareRuns } from './compare.js';
import type { ObservedRun } from './side.js';

const OBSERVED_RUN: ObservedRun = {
  processId: 'case',
  status: 'completed',
  completed: { case: ['start', 'a', 'b'], sub: ['c'] },
  terminated: ['d', 'e'],
  incidents: [],
  variables: { x: 1, list: [1, { y: null }] },
};

describe('compareRuns', () => {
  it('should report no difference between identical runs', () => {
    // when
    const differences = compareRuns([OBSERVED_RUN], [structuredClone(OBSERVED_RUN)]);

    // then
    expect(differences).to.deep.equal([]);
  });

  it('should ignore the order of scopes, terminated elements and variables', () => {
    // given
    const reorderedRun = {
      ...OBSERVED_RUN,
      completed: { sub: ['c'], case: ['start', 'a', 'b'] },
      terminated: ['e', 'd'],
      variables: { list: [1, { y: null }], x: 1 },
    };

    // when
    const differences = compareRuns([OBSERVED_RUN], [reorderedRun]);

    // then
    expect(differences).to.deep.equal([]);
  });

  it('should ignore the approval decision in variables, which Zeebe does not have', () => {
    expect(
      compareRuns(
        [{ ...OBSERVED_RUN, variables: { ...OBSERVED_RUN.variables, approval: { decision: 'approve' } } }],
        [OBSERVED_RUN],
      ),
    ).to.deep.equal([]);
  });

  const cases: [string, Partial<ObservedRun>, string][] = [
    [
      'a different order',
      { completed: { case: ['start', 'b', 'a'], sub: ['c'] } },
      'case: order in case: ours ["start","a","b"], Zeebe ["start","b","a"]',
    ],
    ['a missing scope', { completed: { case: ['start', 'a', 'b'] } }, 'case: order in sub: ours ["c"], Zeebe []'],
    ['a different status', { status: 'waits' }, 'case: status: ours "completed", Zeebe "waits"'],
    [
      'an element that was not terminated',
      { terminated: ['d'] },
      'case: ended before their time: ours ["d","e"], Zeebe ["d"]',
    ],
    ['an incident', { incidents: ['a'] }, 'case: incidents: ours [], Zeebe ["a"]'],
    ['a different value', { variables: { ...OBSERVED_RUN.variables, x: '1' } }, 'case: variable x: ours 1, Zeebe "1"'],
    [
      'a variable that is null on one side and missing on the other',
      { variables: { ...OBSERVED_RUN.variables, z: null } },
      'case: variable z: ours none, Zeebe null',
    ],
  ];
  for (const [title, change, difference] of cases) {
    it(`should report ${title}`, () => {
      expect(compareRuns([OBSERVED_RUN], [{ ...OBSERVED_RUN, ...change }])).to.deep.equal([difference]);
    });
  }

  it('should report a different number of runs', () => {
    expect(compareRuns([OBSERVED_RUN], [OBSERVED_RUN, OBSERVED_RUN])).to.deep.equal([
      'runs of "case": ours 1, Zeebe 2',
    ]);
  });

  it('should pair the runs of a process in their start order', () => {
    expect(
      compareRuns(
        [OBSERVED_RUN, { ...OBSERVED_RUN, variables: {} }],
        [OBSERVED_RUN, { ...OBSERVED_RUN, variables: { x: 2 } }],
      ),
    ).to.deep.equal(['case#2: variable x: ours none, Zeebe 2']);
  });
});
