import type { DifferentialCase } from '../case.js';
import { DECISION_CASES } from './decisions.js';
import { EVENT_CASES } from './events.js';
import { GATEWAY_CASES } from './gateways.js';
import { INTERPLAY_CASES } from './interplay.js';
import { SCOPE_CASES } from './scopes-and-loops.js';
import { TASK_CASES } from './tasks-and-variables.js';

export const CASES: readonly DifferentialCase[] = [...DECISION_CASES, ...GATEWAY_CASES, ...TASK_CASES, ...EVENT_CASES, ...SCOPE_CASES, ...INTERPLAY_CASES];
