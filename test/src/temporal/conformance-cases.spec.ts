import { describeConformanceOnTemporal } from './paired-cases.spec.support.js';

/** Time for the cases on a busy machine. */
const TIMEOUT_MS = 120_000;

/** A case with timers, one with messages, one with a called run. All others are in `sweeps`. */
const IDS: ReadonlySet<string> = new Set([
  'steps/SubProcess.ParallelWithTimer',
  'steps/EventSubProcess.MessageInterrupting#1',
  'steps/Error.OnCallActivity',
]);

describeConformanceOnTemporal(
  ({ traced, steps }) => ({
    traced: traced.filter(({ id }) => IDS.has(id)),
    steps: steps.filter(({ id }) => IDS.has(id)),
  }),
  TIMEOUT_MS,
);
