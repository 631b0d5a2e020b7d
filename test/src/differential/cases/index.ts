import type { DifferentialCase } from '../case.js';
import { CANCELLATION_CASES } from './cancellation.js';
import { conformanceCases } from './conformance.js';
import { DECISION_CASES } from './decisions.js';
import { EVENT_CASES } from './events.js';
import { GATEWAY_CASES } from './gateways.js';
import { INTERPLAY_CASES } from './interplay.js';
import { MIGRATION_CASES } from './migration.js';
import { RECOVERY_CASES } from './recovery.js';
import { SCOPE_CASES } from './scopes-and-loops.js';
import { TASK_CASES } from './tasks-and-variables.js';

export const CASES: readonly DifferentialCase[] = [
  ...DECISION_CASES,
  ...GATEWAY_CASES,
  ...TASK_CASES,
  ...EVENT_CASES,
  ...SCOPE_CASES,
  ...INTERPLAY_CASES,
  ...RECOVERY_CASES,
  ...CANCELLATION_CASES,
  ...MIGRATION_CASES,
  ...conformanceCases(),
];
