import {
  type ApprovalSubject,
  canonicalJson,
  ERASED,
  type Json,
  type JsonObject,
  mapInPieces,
  type PersonalDataScope,
  type RecordedActor,
  type RunErasure,
  type RunEvent,
  type RunState,
} from '@countersign/model';
import { decisionsIn, ERASURE, ERASURE_ACTION, knownDecisions, peopleInHistory } from '@countersign/model/evidence';
import type { PayloadsOfRun } from '../../ports/personal-data.js';
import type { ApprovalRecord, AuditRecord, QuestionRecord, RunArtifact } from '../../ports/records.js';

/** All stored data of a run, as of one event. */
export interface StoredRunData {
  readonly state: RunState;
  readonly events: readonly RunEvent[];
  /** Audit events about the run, from its own chain and the server's. */
  readonly audit: readonly AuditRecord[];
  readonly approvals: readonly ApprovalRecord[];
  readonly questions: readonly QuestionRecord[];
  readonly artifacts: readonly RunArtifact[];
  readonly payloads: PayloadsOfRun;
}

export interface WorkedOutErasure {
  readonly erasure: RunErasure;
  /** New names of artifacts, by current name. */
  readonly artifactNames: Readonly<Record<string, string>>;
  /** Positions in the server's chain. */
  readonly serverAuditEvents: readonly number[];
  /** Decisions in variables that no event names after the erasure. */
  readonly decisions: readonly string[];
}

/**
 * Returns what an erasure removes. Keeps records of erasures, which name who ordered them and why. Yields after each
 * approval, each event (twice) and each element instance.
 */
export function* workOutErasure(data: StoredRunData, scope: PersonalDataScope): Generator<void, WorkedOutErasure> {
  const artifactNames = renamed(data.artifacts, scope);
  const approvals: (readonly [ApprovalRecord, ApprovalRecord])[] = [];
  for (const approval of data.approvals) {
    const pair = [approval, withoutPeople(approval, scope)] as const;
    if (differ(pair)) approvals.push(pair);
    yield;
  }
  const newSubjects = new Set(
    approvals.flatMap(([before, after]) => (before.subject === after.subject ? [] : [after.approvalId])),
  );
  const isGone = ({ type, data: eventData, private: privatePart }: RunEvent): boolean =>
    // Without the request event, nothing distinguishes an erased subject from a tampered one.
    privatePart !== null &&
    type !== ERASURE &&
    (scope.concerns(privatePart as JsonObject) ||
      (type === 'approval.requested' && newSubjects.has(String(eventData['approvalId']))));
  const gone = new Set<number>();
  for (const event of data.events) {
    if (isGone(event)) gone.add(event.seq);
    yield;
  }
  const audit = data.audit.filter(
    ({ salt, action, actor, from, data: entryData }) =>
      salt !== '' &&
      action !== ERASURE_ACTION &&
      scope.concerns([actor === null ? null : { ...actor }, from, entryData]),
  );
  return {
    erasure: {
      events: [...gone],
      auditEvents: audit
        .filter(({ runId }) => runId !== null)
        .map(({ seq }) => seq)
        .sort(ascending),
      approvals: approvals.map(([, after]) => after),
      questions: changed(data.questions, (question) => withoutPeopleIn(question, scope)),
      artifacts: changed(data.artifacts, (artifact) => ({
        ...artifact,
        name: artifactNames[artifact.name] ?? artifact.name,
        contentType: scope.kind === 'run' ? 'application/octet-stream' : artifact.contentType,
        createdBy: scope.person(artifact.createdBy),
      })),
      deliveries: data.payloads.deliveries
        .filter(({ text }) => text !== '' && scope.concerns(text))
        .map(({ id }) => id),
      inboundEvents: data.payloads.inboundEvents
        .filter(({ text }) => text !== '' && scope.concerns(text))
        .map(({ id }) => id),
    },
    artifactNames,
    decisions: yield* untoldDecisions(data, gone, scope),
    serverAuditEvents: audit
      .filter(({ runId }) => runId === null)
      .map(({ seq }) => seq)
      .sort(ascending),
  };
}

/**
 * Finds decisions in variables whose voter no remaining event names. The event of a vote may be erased, for example
 * because of its comment.
 */
function* untoldDecisions(
  { state, events }: StoredRunData,
  gone: ReadonlySet<number>,
  scope: PersonalDataScope,
): Generator<void, string[]> {
  const left = events.map((event) => (gone.has(event.seq) ? { ...event, private: null } : event));
  const known = new Set(knownDecisions([], peopleInHistory(left).approvals.values()));
  for (const event of left) {
    for (const decision of knownDecisions([event], [])) known.add(decision);
    yield;
  }
  const found = (yield* mapInPieces(Object.values(state.instances), ({ variables }) =>
    decisionsIn(scope.json(variables ?? {})),
  )).flat();
  return found.flatMap(({ decision, isErased }) => (isErased || known.has(decision) ? [] : [decision]));
}

function withoutPeople(approval: ApprovalRecord, scope: PersonalDataScope): ApprovalRecord {
  const { resolvedBy, candidateUsers, delegations, excluded, votes } = approval;
  return {
    ...approval,
    requestedBy: scope.person(approval.requestedBy),
    resolvedBy: personWithout(resolvedBy, scope),
    candidateUsers: candidateUsers.map((id) => scope.person(id)),
    delegations: delegations.map(({ fromNames, ...each }) => ({
      ...each,
      from: scope.person(each.from),
      ...(fromNames === undefined ? {} : { fromNames: fromNames.map((name) => scope.person(name)) }),
      to: scope.person(each.to),
    })),
    excluded: Object.fromEntries(Object.entries(excluded).filter(([id]) => scope.person(id) === id)),
    votes: votes.map(({ askedAs, signature, shown, ...vote }) => {
      const isGone = scope.person(vote.by) !== vote.by;
      return {
        ...vote,
        by: scope.person(vote.by),
        byName: isGone ? null : vote.byName,
        ...(askedAs === undefined || isGone ? {} : { askedAs: askedAs.map((name) => scope.person(name)) }),
        comment: textWithout(vote.comment, scope),
        ...(signature === undefined || isGone ? {} : { signature }),
        ...(shown === undefined ? {} : { shown: shown.map((each) => ({ ...each, name: scope.text(each.name) })) }),
      };
    }),
    subject: subjectWithout(approval.subject, scope),
  };
}

/** Erases the contents of a subject. The digest still covers the original, so the result is marked as `erased`. */
function subjectWithout(subject: ApprovalSubject, scope: PersonalDataScope): ApprovalSubject {
  const { inputs, evidence } = subject;
  if (
    !scope.concerns([
      inputs,
      evidence.map((each) => each.name),
      subject.kind === 'tool_call' ? [subject.editedBy, ...subject.hosts] : null,
    ])
  )
    return subject;
  const kept = { ...subject, inputs: scope.json(inputs), erased: true };
  if (kept.kind === 'user_task')
    return { ...kept, evidence: kept.evidence.map((each) => ({ ...each, name: scope.text(each.name) })) };
  return {
    ...kept,
    evidence: kept.evidence.map((each) => ({ ...each, name: scope.text(each.name) })),
    hosts: scope.json([...kept.hosts]),
    editedBy: kept.editedBy === null ? null : scope.person(kept.editedBy),
  };
}

function withoutPeopleIn(question: QuestionRecord, scope: PersonalDataScope): QuestionRecord {
  const { options, answerSchema, onDue, answer, answeredBy } = question;
  return {
    ...question,
    text: scope.text(question.text),
    options: options === null ? null : scope.json([...options]),
    answerSchema: answerSchema === null ? null : scope.json(answerSchema),
    onDue: onDue.kind === 'continue' ? { ...onDue, answer: valueWithout(onDue.answer, scope) } : onDue,
    answer: valueWithout(answer, scope),
    answeredBy: personWithout(answeredBy, scope),
  };
}

function valueWithout(value: Json, scope: PersonalDataScope): Json {
  return value === null ? null : scope.kind === 'run' ? ERASED : scope.json(value);
}

function textWithout(text: string | null, scope: PersonalDataScope): string | null {
  return text === null || scope.kind === 'run' ? null : scope.text(text);
}

function personWithout(person: RecordedActor | null, scope: PersonalDataScope): RecordedActor | null {
  if (person === null || scope.person(person.id) === person.id) return person;
  return { type: person.type, id: ERASED, name: null };
}

const NUMBERED = /^\[erased\] (\d+)$/;

/** Assigns a distinct new name to each artifact name, because the versions of an artifact share its name. */
function renamed(artifacts: readonly RunArtifact[], scope: PersonalDataScope): Record<string, string> {
  const names = [...new Set(artifacts.map(({ name }) => name))];
  let last = Math.max(0, ...names.map((name) => Number(NUMBERED.exec(name)?.[1] ?? 0)));
  const concerned = names.filter((name) => !NUMBERED.test(name) && scope.concerns(name));
  return Object.fromEntries(concerned.map((name) => [name, `${ERASED} ${(last += 1)}`]));
}

/** Returns the changed versions of the records that change. */
function changed<T extends object>(records: readonly T[], change: (record: T) => T): T[] {
  return records
    .map((record) => [record, change(record)] as const)
    .filter(differ)
    .map(([, after]) => after);
}

function differ([before, after]: readonly [object, object]): boolean {
  return canonicalJson(before as Json) !== canonicalJson(after as Json);
}

function ascending(a: number, b: number): number {
  return a - b;
}
