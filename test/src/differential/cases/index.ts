import type { DifferentialCase } from '../case.js';
import { GATEWAY_CASES } from './gateways.js';

export const CASES: readonly DifferentialCase[] = [...GATEWAY_CASES];
