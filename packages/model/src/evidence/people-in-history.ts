import { isJsonObject, type Json, type JsonObject } from '../json.js';
import type { RunEvent } from '../run-event.js';
import { ApprovalHistory, type ApprovalInHistory } from './approval-history.js';
import { artifactIn, type ArtifactInHistory } from './artifact-in.js';
import { personIn, type NamedPerson } from './person-in.js';

/** What is read of an event. */
export interface HistoryEvent extends Pick<RunEvent, 'seq' | 'at' | 'data' | 'private'> {
  /** A pack may come from a later version, so it can be any text. */
  readonly type: string;
}

/** How a question was closed, and by whom. */
export interface QuestionInHistory {
  readonly status: 'pending' | 'answered' | 'expired' | 'withdrawn';
  readonly answer: Json;
  /** `null` where nobody answered, or the private part of the answer is missing. */
  readonly answeredBy: NamedPerson | null;
  /** Milliseconds since the epoch. */
  readonly closedAt: number | null;
}

/** What the history of a run says of people. `null` stands for whoever is named in a private part that is missing. */
export interface PeopleInHistory {
  readonly startedBy: string | null;
  /** Milliseconds since the epoch. */
  readonly startedAt: number | null;
  /** How the run ended, and when; `null` while it goes on. */
  readonly end: { readonly outcome: string; readonly at: number } | null;
  /** Who deployed each version that the run was on, by its number; none of runs that began before events recorded it. */
  readonly deployers: ReadonlyMap<number, string>;
  /** In the order in which they were requested, by id. */
  readonly approvals: ReadonlyMap<string, ApprovalInHistory>;
  /** All versions, oldest first, by the id of the version. */
  readonly artifacts: ReadonlyMap<string, ArtifactInHistory>;
  readonly questions: ReadonlyMap<string, QuestionInHistory>;
}

const CLOSED: Readonly<Record<string, QuestionInHistory['status']>> = Object.freeze({
  'question.answered': 'answered',
  'question.expired': 'expired',
  'question.withdrawn': 'withdrawn',
});

const ENDS: ReadonlySet<string> = new Set(['run.completed', 'run.rejected', 'run.cancelled', 'run.failed']);

/** Reads what events say of people. Evidence takes it from here, and from no table beside the events. @param events oldest first */
export function peopleInHistory(events: readonly HistoryEvent[]): PeopleInHistory {
  const approvals = new ApprovalHistory();
  const artifacts = new Map<string, ArtifactInHistory>();
  const questions = new Map<string, QuestionInHistory>();
  const deployers = new Map<number, string>();
  let startedBy: string | null = null;
  let startedAt: number | null = null;
  let end: PeopleInHistory['end'] = null;
  for (const event of events) {
    const { type, at, data } = event;
    const deployedBy =
      type === 'run.started' || type === 'run.migrated'
        ? (event.private as JsonObject | null)?.['deployedBy']
        : undefined;
    if (typeof deployedBy === 'string') deployers.set(Number(data['toVersion'] ?? data['workflowVersion']), deployedBy);
    if (type === 'run.started') [startedBy, startedAt] = [personIn(event)?.id ?? null, at];
    else if (ENDS.has(type)) end ??= { outcome: type.slice('run.'.length), at };
    else if (type === 'artifact.created') artifacts.set(String(data['artifactId']), artifactIn(event));
    else if (type === 'question.asked')
      questions.set(String(data['questionId']), { status: 'pending', answer: null, answeredBy: null, closedAt: null });
    else if (CLOSED[type] !== undefined && questions.has(String(data['questionId'])))
      questions.set(String(data['questionId']), {
        status: CLOSED[type],
        answer: answerOf(event.private),
        answeredBy: personIn(event),
        closedAt: at,
      });
    else if (type.startsWith('approval.')) approvals.fold(event);
  }
  return { startedBy, startedAt, end, deployers, approvals: approvals.all(), artifacts, questions };
}

function answerOf(privatePart: HistoryEvent['private']): Json {
  return isJsonObject(privatePart) ? ((privatePart as JsonObject)['answer'] ?? null) : null;
}
