import type { Absence } from '@countersign/model';
import type { AbsenceRecord } from '../../ports/absences.js';
import { timestamp } from './as-response.js';

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
export type AwayView = Pick<AbsenceView, 'subject' | 'substitute' | 'until'>;

export function absenceView({
  subject,
  substitute,
  from,
  until,
  setAt,
  setBy,
  awaitsSignIn,
}: AbsenceRecord): AbsenceView {
  const times = { from: timestamp(from), until: timestamp(until), setAt: timestamp(setAt) };
  return { subject, substitute, ...times, setBy, awaitsSignIn };
}

export function awayView({ subject, substitute, until }: Absence): AwayView {
  return { subject, substitute, until: timestamp(until) };
}
