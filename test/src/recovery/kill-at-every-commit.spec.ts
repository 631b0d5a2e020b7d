import { expect } from 'chai';
import { FAILPOINTS } from './failpoints.js';
import { startKillableServer } from './kill-at-every-commit.spec.support.js';
import { approvalWorkload, talkingWorkload } from './workload.spec.support.js';

describe('recovery from SIGKILL at every commit', function () {
  this.timeout(600_000);

  it('should visit every failpoint that the code has', async () => {
    const server = await startKillableServer();
    try {
      // when
      const one = await server.undisturbed(approvalWorkload);
      const other = await server.undisturbed(talkingWorkload);

      // then
      const visited = [one, other].flatMap(({ visits }) => Object.keys(visits));
      expect([...new Set(visited)].sort()).to.deep.equal([...FAILPOINTS].sort());
    } finally {
      await server.close();
    }
  });
});
