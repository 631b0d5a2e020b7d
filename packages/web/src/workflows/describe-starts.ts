import type { RunStart, Workflow } from '@countersign/contract';
import { texts } from '../texts/index.js';

const t = texts.workflows;

/** Returns whether users can start a run of the workflow; `true` if its version does not list its starts. */
export function canStartOnRequest({ starts }: Pick<Workflow, 'starts'>): boolean {
  return starts === null || starts.some(({ kind }) => kind === 'none');
}

/** Describes what starts the runs of a workflow that users cannot start: "Started by the message ci.requested". */
export function describeStarts({ starts }: Pick<Workflow, 'starts'>): string {
  const startTexts = (starts ?? []).map(describeStart);
  return startTexts.length === 0
    ? t.startedByNothing
    : t.startedBy(new Intl.ListFormat('en', { type: 'disjunction' }).format(startTexts));
}

function describeStart({ kind, value }: RunStart): string {
  return kind === 'none' ? t.startKinds.none : t.startKinds[kind](value ?? '');
}
