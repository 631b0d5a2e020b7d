import { isJsonObject, type Json, type JsonObject } from '../json.js';
import type { RunEvent } from '../run-event.js';
import { ApprovalHistory, type ApprovalInHistory } from './approval-history.js';
import { readArtifact, type ArtifactInHistory } from './read-artifact.js';
import { readPerson, type NamedPerson } from './read-person.js';

/** The members of an event that this module reads. */
export interface HistoryEvent extends Pick<RunEvent, 'seq' | 'at' | 'data' | 'private'> {
  /** Any string, because a pack may come from a later version. */
  readonly type: string;
}

/** The state of a question, with its answer and the person who answered. */
export interface QuestionInHistory {
  readonly status: 'pending' | 'answered' | 'expired' | 'withdrawn';
  readonly answer: Json;
  /** `null` if there is no answer, or its private part is missing. */
  readonly answeredBy: NamedPerson | null;
  /** Milliseconds since the epoch. */
  readonly closedAt: number | null;
}

/**
 * What the events of a run record about it: people, times, approvals, artifacts and questions. `null`: the private part
 * with this information is missing.
 */
export interface RecordedFacts {
  readonly startedBy: string | null;
  /** Milliseconds since the epoch. */
  readonly startedAt: number | null;
  /** Outcome of the run and the time of its end; `null` while it is active. */
  readonly end: { readonly outcome: string; readonly at: number } | null;
  /**
   * The deployer of each version that the run has had, by version number; empty for runs from before deployers were
   * recorded.
   */
  readonly deployers: ReadonlyMap<number, string>;
  /** By id, in the order in which they were requested. */
  readonly approvals: ReadonlyMap<string, ApprovalInHistory>;
  /** All versions, oldest first, by version id. */
  readonly artifacts: ReadonlyMap<string, ArtifactInHistory>;
  readonly questions: ReadonlyMap<string, QuestionInHistory>;
}

const STATUS_BY_CLOSING_EVENT: Readonly<Record<string, QuestionInHistory['status']>> = Object.freeze({
  'question.answered': 'answered',
  'question.expired': 'expired',
  'question.withdrawn': 'withdrawn',
});

const END_EVENTS: ReadonlySet<string> = new Set(['run.completed', 'run.rejected', 'run.cancelled', 'run.failed']);

/**
 * Collects what the events record. Evidence states this only from events, never from other tables.
 *
 * @param events oldest first
 */
export function collectRecordedFacts(events: readonly HistoryEvent[]): RecordedFacts {
  const approvals = new ApprovalHistory();
  const artifacts = new Map<string, ArtifactInHistory>();
  const questions = new Map<string, QuestionInHistory>();
  const deployers = new Map<number, string>();
  let startedBy: string | null = null;
  let startedAt: number | null = null;
  let end: RecordedFacts['end'] = null;
  for (const event of events) {
    const { type, at, data } = event;
    const deployedBy =
      type === 'run.started' || type === 'run.migrated'
        ? (event.private as JsonObject | null)?.['deployedBy']
        : undefined;
    if (typeof deployedBy === 'string') deployers.set(Number(data['toVersion'] ?? data['workflowVersion']), deployedBy);
    if (type === 'run.started') [startedBy, startedAt] = [readPerson(event)?.id ?? null, at];
    else if (END_EVENTS.has(type)) end ??= { outcome: type.slice('run.'.length), at };
    else if (type === 'artifact.created') artifacts.set(String(data['artifactId']), readArtifact(event));
    else if (type === 'question.asked')
      questions.set(String(data['questionId']), { status: 'pending', answer: null, answeredBy: null, closedAt: null });
    else if (STATUS_BY_CLOSING_EVENT[type] !== undefined && questions.has(String(data['questionId'])))
      questions.set(String(data['questionId']), {
        status: STATUS_BY_CLOSING_EVENT[type],
        answer: readAnswer(event.private),
        answeredBy: readPerson(event),
        closedAt: at,
      });
    else if (type.startsWith('approval.')) approvals.fold(event);
  }
  return { startedBy, startedAt, end, deployers, approvals: approvals.getAll(), artifacts, questions };
}

function readAnswer(privatePart: HistoryEvent['private']): Json {
  return isJsonObject(privatePart) ? ((privatePart as JsonObject)['answer'] ?? null) : null;
}
