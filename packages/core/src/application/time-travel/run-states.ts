import { inject, injectable } from 'inversify';
import type { RunEvent } from '../../domain/run-event.js';
import type { RunOutcome, RunStatus } from '../../domain/run-state.js';
import { StoragePort } from '../../ports/storage.js';
import { StepProjection } from '../project-steps.js';
import { RunQueries, variablesOf } from '../run-queries.js';
import { timestamp } from '../views/as-response.js';
import { runEventView } from '../views/event-view.js';
import type { RunStateView, TokenView } from '../views/run-state-view.js';
import { waitingForView } from '../views/run-view.js';
import type { StepView } from '../views/step-view.js';

const PAGE = 1_000;

/** Runs as they were. */
@injectable()
export class RunStates {
  constructor(
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(RunQueries) private readonly runs: RunQueries,
  ) {}

  /**
   * A run as it was just after an event; as it is now where that is not given, or lies ahead.
   *
   * @throws {CountersignError} `run_not_found`
   */
  async at(runId: string, seq?: number): Promise<RunStateView> {
    const { shown, state } = await this.runs.find(runId);
    const at = Math.min(seq ?? state.seq, state.seq);
    const steps = new StepProjection();
    let outcome: RunOutcome | null = null;
    let version: { version: number; digest: string } = { version: shown.workflowVersion, digest: shown.workflowDigest };
    let cancelling = false;
    let event: RunEvent | undefined;
    while (steps.seq < at) {
      const events = await this.storage.listRunEvents(runId, steps.seq, Math.min(PAGE, at - steps.seq));
      if (events.length === 0) throw new Error(`Run ${runId} has ${steps.seq} events, but its state says ${state.seq}.`);
      for (const each of events) {
        if (each.type === 'run.started') version = { version: Number(each.data['workflowVersion']), digest: String(each.data['workflowDigest']) };
        if (each.type === 'run.migrated') version = { version: Number(each.data['toVersion']), digest: String(each.data['toDigest']) };
        if (each.type === 'run.cancel_requested') cancelling = true;
        outcome = OUTCOMES[each.type] ?? outcome;
        event = each;
      }
      steps.fold(events);
    }
    if (event === undefined) throw new Error(`Run ${runId} has no events.`);
    const isNow = at === state.seq;
    const ordered = steps.ordered();
    const open = ordered.filter(isOpen);
    const failed = open.filter((step) => step.status === 'failed');
    return {
      runId,
      workflowId: shown.workflowId,
      workflowVersion: version.version,
      workflowDigest: version.digest,
      at,
      time: timestamp(event.at),
      lastSeq: state.seq,
      event: runEventView(event),
      status: isNow ? shown.status : statusOf(open, outcome),
      outcome,
      cancelling: cancelling && outcome === null,
      currentStep: open[0]?.elementId ?? null,
      incidents: failed.length,
      error: isNow ? shown.error : (failed[0]?.error ?? null) === null ? null : { code: failed[0]?.error?.code ?? '', message: failed[0]?.error?.message ?? '', elementId: failed[0]?.elementId ?? null },
      waitingFor: isNow ? shown.waitingFor.map(waitingForView) : null,
      variables: isNow ? variablesOf(state) : null,
      steps: ordered,
      tokens: open.map(tokenOf),
      takenFlows: null,
      gap: isNow ? null : { seq: 1, code: 'not_recorded', message: 'The history of this run is not replayed.' },
    };
  }
}

const OUTCOMES: Readonly<Record<string, RunOutcome>> = Object.freeze({ 'run.completed': 'completed', 'run.failed': 'failed', 'run.cancelled': 'cancelled', 'run.rejected': 'rejected' });

function isOpen({ status }: StepView): boolean {
  return status === 'active' || status === 'waiting' || status === 'failed';
}

function tokenOf({ elementId, stepId, status }: StepView): TokenView {
  return { elementId, stepId, flowId: null, kind: status === 'waiting' || status === 'failed' ? status : 'active', count: 1 };
}

function statusOf(open: readonly StepView[], outcome: RunOutcome | null): RunStatus {
  if (outcome !== null) return outcome === 'completed' ? 'completed' : 'failed';
  if (open.some(({ status }) => status === 'active')) return 'active';
  if (open.some(({ status }) => status === 'waiting')) return 'blocked';
  return open.length > 0 ? 'failed' : 'active';
}
