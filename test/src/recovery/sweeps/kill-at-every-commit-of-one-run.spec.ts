import { describeKills } from './kill-at-every-commit.spec.support.js';
import { approvalWorkload } from '../workload.spec.support.js';

describeKills('a run that people and programs complete', approvalWorkload);
