import { approvalWorkload } from '../../recovery/workload.spec.support.js';
import { describeKillsOnTemporal } from './kill-at-every-commit.spec.support.js';

describeKillsOnTemporal('a run that people and programs complete', approvalWorkload);
