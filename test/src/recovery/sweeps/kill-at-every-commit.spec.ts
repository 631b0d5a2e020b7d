import { expect } from 'chai';
import { FAILPOINTS } from '../failpoints.js';
import { startKillableServer } from './kill-at-every-commit.spec.support.js';
import { agentWorkload, approvalWorkload, messagingWorkload } from '../workload.spec.support.js';

describe('recovery from SIGKILL at every commit', function () {
  this.timeout(1_800_000);

  it('should visit every failpoint of the code', async () => {
    const server = await startKillableServer();
    try {
      // when
      const executions = [];
      for (const workload of [approvalWorkload, messagingWorkload, agentWorkload])
        executions.push(await server.runUndisturbed(workload));

      // then
      const visited = executions.flatMap(({ visits }) => Object.keys(visits));
      expect([...new Set(visited)].sort()).to.deep.equal([...FAILPOINTS].sort());
    } finally {
      await server.close();
    }
  });
});
