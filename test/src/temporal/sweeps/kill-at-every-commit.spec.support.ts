import { ANNOUNCEMENT_FAILPOINTS, FAILPOINTS } from '../../recovery/failpoints.js';
import { describeKills } from '../../recovery/sweeps/kill-at-every-commit.spec.support.js';
import type { Workload } from '../../recovery/workload.spec.support.js';
import { describeOnTemporal, TemporalServer } from '../temporal-server.spec.support.js';

/** Tests one workload on a Temporal cluster with a kill of our server at each of its commits. */
export function describeKillsOnTemporal(name: string, workload: Workload): void {
  describeOnTemporal('recovery', () => {
    let cluster: TemporalServer | undefined;

    after(() => cluster?.close());

    describeKills(name, workload, {
      failpoints: [...FAILPOINTS, ...ANNOUNCEMENT_FAILPOINTS],
      startEngine: async () => {
        cluster = await TemporalServer.start();
        return cluster.configuration;
      },
    });
  });
}
