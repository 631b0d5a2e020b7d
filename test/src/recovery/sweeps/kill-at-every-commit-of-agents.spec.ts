import { describeKills } from './kill-at-every-commit.spec.support.js';
import { agentWorkload } from '../workload.spec.support.js';

describeKills('an agent that makes calls and asks a question', agentWorkload);
