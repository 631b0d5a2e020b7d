import type { RunStart, Workflow } from '@countersign/contract';
import { texts } from '../texts/index.js';

const { workflows: t } = texts;

/** Returns whether a user can start a run, which is also assumed if the version does not state its starts. */
export function canStartOnRequest({ starts }: Pick<Workflow, 'starts'>): boolean {
  return starts === null || starts.some(({ kind }) => kind === 'none');
}

/** Returns what starts runs of a workflow that a request cannot start: "Started by the message ci.requested". */
export function describeStarts({ starts }: Pick<Workflow, 'starts'>): string {
  const startTexts = (starts ?? []).map(startText);
  return startTexts.length === 0
    ? t.startedByNothing
    : t.startedBy(new Intl.ListFormat('en', { type: 'disjunction' }).format(startTexts));
}

function startText({ kind, value }: RunStart): string {
  return kind === 'none' ? t.startKinds.none : t.startKinds[kind](value ?? '');
}
