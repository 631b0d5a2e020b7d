import { expect } from 'chai';
import { describeEngines, describeMove } from './describe-moves.js';

describe('descriptions of moves', () => {
  const move = {
    workflowId: 'payments',
    from: null,
    to: 'temporal',
    activeRuns: [
      { engine: 'embedded', count: 12 },
      { engine: 'temporal', count: 3 },
    ],
  };

  it('should state what happens to the runs of the workflow', () => {
    expect(describeMove(move, true)).to.equal(
      'payments: new runs would start on temporal (before: the default engine).\n' +
        '  12 active runs end on embedded. Keep a server with this engine until then.',
    );
    expect(describeMove({ ...move, activeRuns: [{ engine: 'embedded', count: 1 }] }, false)).to.equal(
      'payments: new runs start on temporal (before: the default engine).\n' +
        '  1 active run ends on embedded. Keep a server with this engine until then.',
    );
  });

  it('should state what does not change', () => {
    expect(describeMove({ ...move, from: 'temporal', activeRuns: [] }, false)).to.equal(
      'payments: new runs already start on temporal.',
    );
    expect(describeMove({ ...move, from: 'temporal', to: null, activeRuns: [] }, false)).to.equal(
      'payments: new runs start on the default engine (before: temporal).',
    );
  });

  it('should list the servers, and the engines of each workflow', () => {
    const { workflowId, activeRuns } = move;
    const servers = [
      { engine: 'embedded', count: 2 },
      { engine: 'temporal', count: 1 },
    ];

    expect(
      describeEngines([
        { workflowId, engine: 'temporal', activeRuns, servers },
        { workflowId: 'release', engine: null, activeRuns: [], servers },
      ]),
    ).to.equal(
      'Running servers: embedded 2, temporal 1\n' +
        'payments: new runs start on temporal; active runs: embedded 12, temporal 3\n' +
        'release: new runs start on the default engine; active runs: none',
    );
  });
});
