import { type AdvanceResult, isJsonObject, type Json, type RunStatus } from '@countersign/model';
import type { RunRecord, WorkflowVersionRecord } from '../../ports/records.js';
import { waitingForView, type WaitingForView } from './run-view.js';

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
export function migrationPlanView(
  run: RunRecord,
  version: WorkflowVersionRecord,
  { events, refusal }: AdvanceResult,
): MigrationPlanView {
  const migratedData = events.find((event) => event.type === 'run.migrated')?.data ?? {};
  const withdrawn = new Set(
    events.flatMap(({ type, data }) => (type === 'approval.withdrawn' ? [data['approvalId']] : [])),
  );
  return {
    dryRun: true,
    operation: 'migrate',
    runId: run.runId,
    status: run.status,
    from: { version: run.workflowVersion, digest: run.workflowDigest },
    to: { version: version.version, digest: version.digest },
    moves: textsOf(migratedData['moves'], (each) => ({ from: textOf(each['from']), to: textOf(each['to']) })),
    opened: textsOf(migratedData['opened'], waitOf),
    closed: textsOf(migratedData['closed'], waitOf),
    restarted: Array.isArray(migratedData['restarted']) ? migratedData['restarted'].map(textOf) : [],
    askedAgain: run.waitingFor.filter((wait) => withdrawn.has(wait.approvalId ?? null)).map(waitingForView),
    refusals: textsOf(refusal?.details?.['errors'], (each) => ({
      code: textOf(each['code']),
      elementId: textOf(each['pointer']) === '' ? null : textOf(each['pointer']),
      reason: textOf(each['message']),
    })),
    notes: notesOf(events, refusal),
  };
}

function notesOf(events: AdvanceResult['events'], refusal: AdvanceResult['refusal']): string[] {
  if (refusal !== null) return ['Nothing would change, for the reasons in `refusals`.'];
  const notes = [
    'Elements that the mapping does not name, with the same id and type in both versions, map to themselves.',
    'Subscriptions and timers that stay open keep their due date, message name and correlation key, even if the target version defines others.',
    'If separation of duties is on, the person who migrates a run may not decide its approvals afterwards.',
  ];
  if (events.some((event) => event.type === 'approval.withdrawn')) {
    notes.push(
      'Pending approvals refer to their definition, so each is requested again in a new round; votes in the old round no longer count.',
    );
  }
  return notes;
}

function waitOf(each: Readonly<Record<string, Json>>): PlannedWaitView {
  return { elementId: textOf(each['elementId']), kind: textOf(each['kind']) };
}

function textsOf<T>(value: Json | undefined, read: (each: Readonly<Record<string, Json>>) => T): T[] {
  return Array.isArray(value) ? value.filter((each) => isJsonObject(each)).map((each) => read(each)) : [];
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
