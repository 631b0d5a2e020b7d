import type { DifferentialCase } from '../case.js';
import { DECISION_CASES } from './decisions.js';
import { GATEWAY_CASES } from './gateways.js';

export const CASES: readonly DifferentialCase[] = [...DECISION_CASES, ...GATEWAY_CASES];
