import { describeKills } from './kill-at-every-commit.spec.support.js';
import { talkingWorkload } from '../workload.spec.support.js';

describeKills('runs that talk to each other', talkingWorkload);
