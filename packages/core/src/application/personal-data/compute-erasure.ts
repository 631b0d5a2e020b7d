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
  type UserTaskSubject,
  WHOLE_RUN,
} from '@countersign/model';
import {
  findDecisions,
  ERASURE_EVENT_TYPE,
  ERASURE_ACTION,
  collectRecordedDecisions,
  collectRecordedFacts,
} from '@countersign/model/evidence';
import type { RunPayloads } from '../../ports/personal-data.js';
import type { RunSnapshot } from '../../ports/run-snapshot.js';
import type { ApprovalRecord, AuditRecord, QuestionRecord, RunArtifact } from '../../ports/records.js';

/** All stored data of a run, as of one event. */
export interface StoredRunData {
  readonly state: RunSnapshot;
  readonly events: readonly RunEvent[];
  /** Audit events about the run, from its own chain and the server's. */
  readonly audit: readonly AuditRecord[];
  readonly approvals: readonly ApprovalRecord[];
  readonly questions: readonly QuestionRecord[];
  readonly artifacts: readonly RunArtifact[];
  readonly payloads: RunPayloads;
}

export interface ComputedErasure {
  readonly erasure: RunErasure;
  /** New names of artifacts, by current name. */
  readonly artifactNames: Readonly<Record<string, string>>;
  /** Positions of the erased audit events in the server's chain. */
  readonly serverAuditEvents: readonly number[];
  /** Decisions in variables whose voters no event names after the erasure. */
  readonly decisions: readonly string[];
}

/**
 * Computes the data that an erasure removes. Keeps the records of erasures, which state who ordered them and why.
 * Yields after each approval, each event (twice) and each element instance.
 */
export function* computeErasure(data: StoredRunData, scope: PersonalDataScope): Generator<void, ComputedErasure> {
  const artifactNames = buildArtifactNames(data.artifacts, scope);
  const approvals: (readonly [ApprovalRecord, ApprovalRecord])[] = [];
  for (const approval of data.approvals) {
    const beforeAndAfter = [approval, eraseApprovalData(approval, scope)] as const;
    if (isDifferent(beforeAndAfter)) approvals.push(beforeAndAfter);
    yield;
  }
  const approvalIdsWithErasedSubject = new Set(
    approvals.flatMap(([before, after]) => (before.subject === after.subject ? [] : [after.approvalId])),
  );
  const mustErase = ({ type, data: eventData, private: privateData }: RunEvent): boolean =>
    // Unless the request event is also erased, an erased subject cannot be distinguished from a tampered one.
    privateData !== null &&
    type !== ERASURE_EVENT_TYPE &&
    (scope.containsPersonalData(privateData as JsonObject) ||
      (type === 'approval.requested' && approvalIdsWithErasedSubject.has(String(eventData['approvalId']))));
  const erasedSeqs = new Set<number>();
  for (const event of data.events) {
    if (mustErase(event)) erasedSeqs.add(event.seq);
    yield;
  }
  const audit = data.audit.filter(
    ({ salt, action, actor, from, data: entryData }) =>
      salt !== '' &&
      action !== ERASURE_ACTION &&
      scope.containsPersonalData([actor === null ? null : { ...actor }, from, entryData]),
  );
  return {
    erasure: {
      events: [...erasedSeqs],
      auditEvents: audit
        .filter(({ runId }) => runId !== null)
        .map(({ seq }) => seq)
        .sort(ascending),
      approvals: approvals.map(([, after]) => after),
      questions: findChanged(data.questions, (question) => eraseQuestionData(question, scope)),
      artifacts: findChanged(data.artifacts, (artifact) => ({
        ...artifact,
        name: artifactNames[artifact.name] ?? artifact.name,
        contentType: scope.kind === 'run' ? 'application/octet-stream' : artifact.contentType,
        createdBy: scope.eraseId(artifact.createdBy),
      })),
      deliveries: data.payloads.deliveries
        .filter(({ text }) => text !== '' && scope.containsPersonalData(text))
        .map(({ id }) => id),
      inboundEvents: data.payloads.inboundEvents
        .filter(({ text }) => text !== '' && scope.containsPersonalData(text))
        .map(({ id }) => id),
    },
    artifactNames,
    decisions: yield* findErasedDecisions(data, erasedSeqs, scope),
    serverAuditEvents: audit
      .filter(({ runId }) => runId === null)
      .map(({ seq }) => seq)
      .sort(ascending),
  };
}

/**
 * Finds the decisions in variables for which no remaining event names the voter. The event of a vote may be erased, for
 * example because of its comment.
 */
function* findErasedDecisions(
  { state, events }: StoredRunData,
  erasedSeqs: ReadonlySet<number>,
  scope: PersonalDataScope,
): Generator<void, string[]> {
  const remainingEvents = events.map((event) => (erasedSeqs.has(event.seq) ? { ...event, private: null } : event));
  const knownDecisionIds = new Set(
    collectRecordedDecisions([], collectRecordedFacts(remainingEvents).approvals.values()),
  );
  for (const event of remainingEvents) {
    for (const decision of collectRecordedDecisions([event], [])) knownDecisionIds.add(decision);
    yield;
  }
  const decisionsInVariables = (yield* mapInPieces(state.openSteps, ({ variables }) =>
    findDecisions(scope.eraseJson(variables)),
  )).flat();
  return decisionsInVariables.flatMap(({ decision, isErased }) =>
    isErased || knownDecisionIds.has(decision) ? [] : [decision],
  );
}

function eraseApprovalData(approval: ApprovalRecord, scope: PersonalDataScope): ApprovalRecord {
  const { resolvedBy, candidateUsers, delegations, excluded, votes } = approval;
  return {
    ...approval,
    // Other titles are texts of the BPMN model, without data of the run.
    ...(isTitleFromRun(approval)
      ? { title: selectTextScope(approval.subject.inputs, scope).eraseText(approval.title) }
      : {}),
    businessKey: eraseNullableText(approval.businessKey ?? null, scope),
    requestedBy: scope.eraseId(approval.requestedBy),
    resolvedBy: eraseActor(resolvedBy, scope),
    candidateUsers: candidateUsers.map((id) => scope.eraseId(id)),
    delegations: delegations.map(({ fromNames, ...each }) => ({
      ...each,
      from: scope.eraseId(each.from),
      ...(fromNames === undefined ? {} : { fromNames: fromNames.map((name) => scope.eraseId(name)) }),
      to: scope.eraseId(each.to),
    })),
    excluded: Object.fromEntries(Object.entries(excluded).filter(([id]) => scope.eraseId(id) === id)),
    votes: votes.map(({ askedAs, signature, shown, ...vote }) => {
      const isErased = scope.eraseId(vote.by) !== vote.by;
      return {
        ...vote,
        by: scope.eraseId(vote.by),
        byName: isErased ? null : vote.byName,
        ...(askedAs === undefined || isErased ? {} : { askedAs: askedAs.map((name) => scope.eraseId(name)) }),
        comment: eraseNullableText(vote.comment, scope),
        ...(signature === undefined || isErased ? {} : { signature }),
        ...(shown === undefined ? {} : { shown: shown.map((each) => ({ ...each, name: scope.eraseText(each.name) })) }),
      };
    }),
    subject: eraseSubjectData(approval.subject, scope),
  };
}

/**
 * Returns the scope for the texts that a model derives from inputs. If the inputs name the person, the texts are erased
 * completely, because they may contain the name in another form, such as in capital letters or in part.
 */
function selectTextScope(inputs: JsonObject, scope: PersonalDataScope): PersonalDataScope {
  return scope.containsPersonalData(inputs) ? WHOLE_RUN : scope;
}

/** Returns whether a title contains data of the run: the result of an expression, or the business key. */
function isTitleFromRun({ subject, businessKey = null }: ApprovalRecord): boolean {
  return businessKey !== null || (subject.kind === 'user_task' && subject.title !== undefined);
}

/**
 * Erases the contents of a subject. The digest still covers the original subject, so the result is marked as `erased`.
 */
function eraseSubjectData(subject: ApprovalSubject, scope: PersonalDataScope): ApprovalSubject {
  const { inputs, evidence } = subject;
  if (
    !scope.containsPersonalData([
      inputs,
      evidence.map((each) => each.name),
      subject.kind === 'user_task' ? listPresentationTexts(subject) : null,
      subject.kind === 'tool_call' ? [subject.editedBy, ...subject.hosts] : null,
    ])
  )
    return subject;
  const erasedSubject = {
    ...subject,
    inputs: scope.eraseJson(inputs),
    evidence: evidence.map((each) => ({ ...each, name: scope.eraseText(each.name) })),
    erased: true,
  };
  if (erasedSubject.kind === 'user_task')
    return { ...erasedSubject, ...erasePresentation(erasedSubject, selectTextScope(inputs, scope)) };
  return {
    ...erasedSubject,
    hosts: scope.eraseJson([...erasedSubject.hosts]),
    editedBy: erasedSubject.editedBy === null ? null : scope.eraseId(erasedSubject.editedBy),
  };
}

function listPresentationTexts({ title, summary, fields = [] }: UserTaskSubject): Json[] {
  return [title ?? null, summary ?? null, ...fields.flatMap(({ label, value }) => [label, value])];
}

function erasePresentation(
  { title, summary, fields }: UserTaskSubject,
  scope: PersonalDataScope,
): Pick<UserTaskSubject, 'title' | 'summary' | 'fields'> {
  return {
    ...(title === undefined ? {} : { title: scope.eraseText(title) }),
    ...(summary === undefined ? {} : { summary: scope.eraseText(summary) }),
    ...(fields === undefined
      ? {}
      : {
          fields: fields.map(({ label, value, ...field }) => ({
            ...field,
            label: scope.eraseText(label),
            value: scope.eraseJson(value),
          })),
        }),
  };
}

function eraseQuestionData(question: QuestionRecord, scope: PersonalDataScope): QuestionRecord {
  const { options, answerSchema, onDue, answer, answeredBy } = question;
  return {
    ...question,
    text: scope.eraseText(question.text),
    options: options === null ? null : scope.eraseJson([...options]),
    answerSchema: answerSchema === null ? null : scope.eraseJson(answerSchema),
    onDue: onDue.kind === 'continue' ? { ...onDue, answer: eraseValue(onDue.answer, scope) } : onDue,
    answer: eraseValue(answer, scope),
    answeredBy: eraseActor(answeredBy, scope),
  };
}

function eraseValue(value: Json, scope: PersonalDataScope): Json {
  return value === null ? null : scope.kind === 'run' ? ERASED : scope.eraseJson(value);
}

function eraseNullableText(text: string | null, scope: PersonalDataScope): string | null {
  return text === null || scope.kind === 'run' ? null : scope.eraseText(text);
}

function eraseActor(person: RecordedActor | null, scope: PersonalDataScope): RecordedActor | null {
  if (person === null || scope.eraseId(person.id) === person.id) return person;
  return { type: person.type, id: ERASED, name: null };
}

const NUMBERED_NAME = /^\[erased\] (\d+)$/;

/** Assigns a distinct new name to each artifact name, because the versions of an artifact share its name. */
function buildArtifactNames(artifacts: readonly RunArtifact[], scope: PersonalDataScope): Record<string, string> {
  const names = [...new Set(artifacts.map(({ name }) => name))];
  let lastNumber = Math.max(0, ...names.map((name) => Number(NUMBERED_NAME.exec(name)?.[1] ?? 0)));
  const namesToErase = names.filter((name) => !NUMBERED_NAME.test(name) && scope.containsPersonalData(name));
  return Object.fromEntries(namesToErase.map((name) => [name, `${ERASED} ${(lastNumber += 1)}`]));
}

/** Returns the changed versions of the records that change. */
function findChanged<T extends object>(records: readonly T[], change: (record: T) => T): T[] {
  return records
    .map((record) => [record, change(record)] as const)
    .filter(isDifferent)
    .map(([, after]) => after);
}

function isDifferent([before, after]: readonly [object, object]): boolean {
  return canonicalJson(before as Json) !== canonicalJson(after as Json);
}

function ascending(a: number, b: number): number {
  return a - b;
}
