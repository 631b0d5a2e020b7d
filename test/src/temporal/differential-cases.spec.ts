import { CASES } from '../differential/cases/index.js';
import { describeDifferentialOnTemporal } from './paired-cases.spec.support.js';

/** Time for the cases on a busy machine. */
const TIMEOUT_MS = 120_000;

/** At least one case for each way in which the engine starts, repeats or ends work. All others are in `sweeps`. */
const IDS: ReadonlySet<string> = new Set([
  'parallel: jobs that are done in another order',
  'boundary timer: a cycle that ends',
  'event-based: a message before a timer',
  'timer: a start event with a date',
  'call: a job in the child',
  'call: an error of the child',
  'loop: parallel, done in another order',
  'compensation: all that was completed',
  'decision: in each turn of a loop',
  'loop: of user tasks',
  'signal: thrown by one run for another',
  'recovery: a boundary timer that runs meanwhile',
  'jobs: the second attempt does it',
  'cancel: with called runs of two levels',
  'migrate: a boundary timer that both have keeps its due date',
  'migrate: a job that somebody has',
]);

describeDifferentialOnTemporal(
  CASES.filter(({ id }) => IDS.has(id)),
  TIMEOUT_MS,
);
