import { agentWorkload } from '../../recovery/workload.spec.support.js';
import { describeKillsOnTemporal } from './kill-at-every-commit.spec.support.js';

describeKillsOnTemporal('an agent that makes calls and asks a question', agentWorkload);
