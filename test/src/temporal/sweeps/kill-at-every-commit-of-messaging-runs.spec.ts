import { messagingWorkload } from '../../recovery/workload.spec.support.js';
import { describeKillsOnTemporal } from './kill-at-every-commit.spec.support.js';

describeKillsOnTemporal('runs that send messages to each other', messagingWorkload);
