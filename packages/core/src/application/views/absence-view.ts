import type { Absence } from '@countersign/model';
import type { AbsenceRecord } from '../../ports/absences.js';
import { toTimestamp } from './to-json-response.js';

export type AbsenceView = {
  subject: string;
  substitute: string | null;
  from: string;
  until: string;
  setAt: string;
  setBy: string;
  awaitsSignIn: boolean;
};

/** Absence of a candidate, as shown in an approval. */
export type AbsenceSummaryView = Pick<AbsenceView, 'subject' | 'substitute' | 'until'>;

export function toAbsenceView({
  subject,
  substitute,
  from,
  until,
  setAt,
  setBy,
  awaitsSignIn,
}: AbsenceRecord): AbsenceView {
  const times = { from: toTimestamp(from), until: toTimestamp(until), setAt: toTimestamp(setAt) };
  return { subject, substitute, ...times, setBy, awaitsSignIn };
}

export function toAbsenceSummaryView({ subject, substitute, until }: Absence): AbsenceSummaryView {
  return { subject, substitute, until: toTimestamp(until) };
}
