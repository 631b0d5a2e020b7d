import { ANNOUNCEMENT_FAILPOINTS, FAILPOINTS } from '../../recovery/failpoints.js';
import { describeKillsOfCluster } from './kill-cluster.spec.support.js';

// A kill after a commit precedes its announcement, which fails, so that a loop has to repeat it.
describeKillsOfCluster('after every commit', 'long', (_scenario, visits) =>
  [...FAILPOINTS, ...ANNOUNCEMENT_FAILPOINTS]
    .filter((point) => point.startsWith('after:'))
    .flatMap((point) => Array.from({ length: visits.get(point) ?? 0 }, (_, index) => ({ point, visit: index + 1 }))),
);
