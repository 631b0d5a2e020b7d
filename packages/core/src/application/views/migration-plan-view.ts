import { isJsonObject, isRunEvent, type Json, type RunStatus } from '@countersign/model';
import type { PlannedOutcome } from '../../ports/engine.js';
import type { RunRecord, WorkflowVersionRecord } from '../../ports/records.js';
import { toWaitingForView, type WaitingForView } from './run-view.js';

export type PlannedMoveView = { from: string; to: string };
export type PlannedWaitView = { elementId: string; kind: string };
export type MigrationRefusalView = { code: string; elementId: string | null; reason: string };

/** Plan of a migration, or the reasons why it is not possible. */
export type MigrationPlanView = {
  dryRun: true;
  operation: 'migrate';
  runId: string;
  status: RunStatus;
  from: { version: number; digest: string };
  to: { version: number; digest: string };
  moves: PlannedMoveView[];
  opened: PlannedWaitView[];
  closed: PlannedWaitView[];
  restarted: string[];
  askedAgain: WaitingForView[];
  refusals: MigrationRefusalView[];
  notes: string[];
};

/** Builds the plan of a migration from the events that it would record, or from its refusal. */
export function toMigrationPlanView(
  run: RunRecord,
  version: WorkflowVersionRecord,
  { events, refusal }: PlannedOutcome,
): MigrationPlanView {
  const migration = events.find((event) => isRunEvent(event, 'run.migrated'))?.data;
  const withdrawnApprovalIds = new Set(
    events.flatMap((event) => (isRunEvent(event, 'approval.withdrawn') ? [event.data.approvalId] : [])),
  );
  return {
    dryRun: true,
    operation: 'migrate',
    runId: run.runId,
    status: run.status,
    from: { version: run.workflowVersion, digest: run.workflowDigest },
    to: { version: version.version, digest: version.digest },
    moves: (migration?.moves ?? []).map(({ from, to }) => ({ from, to })),
    opened: (migration?.opened ?? []).map(toPlannedWait),
    closed: (migration?.closed ?? []).map(toPlannedWait),
    restarted: [...(migration?.restarted ?? [])],
    askedAgain: run.waitingFor
      .filter(({ approvalId }) => approvalId !== undefined && withdrawnApprovalIds.has(approvalId))
      .map(toWaitingForView),
    refusals: mapObjects(refusal?.details?.['errors'], (each) => ({
      code: stringOrEmpty(each['code']),
      elementId: stringOrEmpty(each['pointer']) === '' ? null : stringOrEmpty(each['pointer']),
      reason: stringOrEmpty(each['message']),
    })),
    notes: buildNotes(events, refusal),
  };
}

function buildNotes(events: PlannedOutcome['events'], refusal: PlannedOutcome['refusal']): string[] {
  if (refusal !== null) return ['Nothing would change, for the reasons in `refusals`.'];
  const notes = [
    'Elements that the mapping does not name, with the same id and type in both versions, map to themselves.',
    'Subscriptions and timers that stay open keep their due date, message name and correlation key, even if the target version defines others.',
    'If separation of duties is on, the person who migrates a run may not decide its approvals afterwards.',
  ];
  if (events.some((event) => event.type === 'approval.withdrawn')) {
    notes.push(
      'Pending approvals are bound to a workflow version, so each is requested again in a new round; votes in the old round no longer count.',
    );
  }
  return notes;
}

function toPlannedWait({ elementId, kind }: Readonly<PlannedWaitView>): PlannedWaitView {
  return { elementId, kind };
}

function mapObjects<T>(value: Json | undefined, mapItem: (each: Readonly<Record<string, Json>>) => T): T[] {
  return Array.isArray(value) ? value.filter((each) => isJsonObject(each)).map((each) => mapItem(each)) : [];
}

function stringOrEmpty(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
