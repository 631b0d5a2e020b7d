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

/** The text and the state of a question, with its answer and the person who answered. */
export interface QuestionInHistory {
  /** `null` if the private part with the text is missing. */
  readonly text: string | null;
  readonly status: 'pending' | 'answered' | 'expired' | 'withdrawn';
  readonly answer: Json;
  /** `null` if there is no answer, or its private part is missing. */
  readonly answeredBy: NamedPerson | null;
  /** Milliseconds since the epoch. */
  readonly closedAt: number | null;
}

/** The workflow of a run and its versions. `null`: the events do not contain it. */
export interface WorkflowInHistory {
  readonly workflowId: string | null;
  /** The current version of the run. */
  readonly version: number | null;
  /** Digest of the BPMN model of each version that the run has had, by version number. */
  readonly digests: ReadonlyMap<number, string | null>;
}

/**
 * What the events of a run record about it: people, times, its workflow, approvals, artifacts and questions. `null`: the
 * private part with this information is missing.
 */
export interface RecordedFacts {
  readonly startedBy: string | null;
  /** Milliseconds since the epoch. */
  readonly startedAt: number | null;
  /** Outcome of the run and the time of its end; `null` while it is active. */
  readonly end: { readonly outcome: string; readonly at: number } | null;
  readonly workflow: WorkflowInHistory;
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
      questions.set(String(data['questionId']), {
        text: readQuestionText(event.private),
        status: 'pending',
        answer: null,
        answeredBy: null,
        closedAt: null,
      });
    else if (STATUS_BY_CLOSING_EVENT[type] !== undefined) {
      const question = questions.get(String(data['questionId']));
      if (question !== undefined)
        questions.set(String(data['questionId']), {
          text: question.text,
          status: STATUS_BY_CLOSING_EVENT[type],
          answer: readAnswer(event.private),
          answeredBy: readPerson(event),
          closedAt: at,
        });
    } else if (type.startsWith('approval.')) approvals.fold(event);
  }
  return {
    startedBy,
    startedAt,
    end,
    workflow: collectWorkflow(events),
    deployers,
    approvals: approvals.getAll(),
    artifacts,
    questions,
  };
}

function collectWorkflow(events: readonly HistoryEvent[]): WorkflowInHistory {
  const digests = new Map<number, string | null>();
  let workflowId: string | null = null;
  let currentVersion: number | null = null;
  const addVersion = (version: Json | undefined, digest: Json | undefined): void => {
    if (typeof version !== 'number') return;
    digests.set(version, typeof digest === 'string' ? digest : (digests.get(version) ?? null));
    currentVersion = version;
  };
  for (const { type, data } of events) {
    if (type === 'run.started') {
      if (typeof data['workflowId'] === 'string') workflowId = data['workflowId'];
      addVersion(data['workflowVersion'], data['workflowDigest']);
    } else if (type === 'run.migrated') {
      addVersion(data['fromVersion'], data['fromDigest']);
      addVersion(data['toVersion'], data['toDigest']);
    }
  }
  return { workflowId, version: currentVersion, digests };
}

function readQuestionText(privatePart: HistoryEvent['private']): string | null {
  const text = (privatePart as JsonObject | null)?.['text'];
  return typeof text === 'string' ? text : null;
}

function readAnswer(privatePart: HistoryEvent['private']): Json {
  return isJsonObject(privatePart) ? ((privatePart as JsonObject)['answer'] ?? null) : null;
}
