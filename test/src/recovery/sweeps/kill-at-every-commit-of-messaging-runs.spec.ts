import { describeKills } from './kill-at-every-commit.spec.support.js';
import { messagingWorkload } from '../workload.spec.support.js';

describeKills('runs that send messages to each other', messagingWorkload);
