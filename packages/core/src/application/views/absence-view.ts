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
};

/** What an approval tells of those whom it asks. */
export type AwayView = Pick<AbsenceView, 'subject' | 'substitute' | 'until'>;

export function absenceView({ subject, substitute, from, until, setAt, setBy }: AbsenceRecord): AbsenceView {
  return { subject, substitute, from: timestamp(from), until: timestamp(until), setAt: timestamp(setAt), setBy };
}

export function awayView({ subject, substitute, until }: Absence): AwayView {
  return { subject, substitute, until: timestamp(until) };
}
