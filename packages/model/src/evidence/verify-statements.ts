import { sha256Hex } from '#sha256';
import { canonicalJson } from '../canonical-json.js';
import { isoTime } from '../iso-time.js';
import { isJsonObject, type Json, type JsonObject } from '../json.js';
import { approvalsIn } from '../approval-rules.js';
import type { ApprovalInHistory } from './approval-history.js';
import type { ArtifactInHistory } from './artifact-in.js';
import { coverageGaps } from './coverage-gap.js';
import { decisionsIn, knownDecisions } from './decisions-in.js';
import { ERASURE } from './erasures.js';
import type { Report } from './integrity-problem.js';
import { objectAt, objectsAt, objectsIn, textOr } from './pack-members.js';
import {
  peopleInHistory,
  type HistoryEvent,
  type PeopleInHistory,
  type QuestionInHistory,
} from './people-in-history.js';

/** The first format: its events do not record deployers, and the pack does not list what is not covered. */
const FORMAT_1 = 'urn:countersign:schema:evidence-pack:1';

/** Checks the pack's statements about people and their decisions against its events. */
export function verifyStatements(pack: JsonObject, events: readonly HistoryEvent[], report: Report): void {
  const inHistory = peopleInHistory(events);
  const compare: Compare = (pointer, said, expected) => {
    if (canonicalJson(said ?? null) !== canonicalJson(expected))
      report('statement_differs', pointer, 'This differs from the events of the run.');
  };
  const run = objectAt(pack, 'run', '', report);
  compareMembers(
    '/run',
    run,
    {
      startedBy: inHistory.startedBy,
      startedAt: timeOf(inHistory.startedAt),
      outcome: inHistory.end?.outcome ?? null,
      completedAt: timeOf(inHistory.end?.at ?? null),
    },
    compare,
  );
  verifyApprovals(objectsAt(pack, 'approvals', '', report), inHistory, compare, report);
  verifyEach(
    objectsAt(pack, 'artifacts', '', report),
    '/artifacts',
    'artifactId',
    inHistory.artifacts,
    artifactMembers,
    compare,
    report,
  );
  verifyNewest(objectsAt(run, 'artifacts', '/run', report), inHistory, compare);
  verifyEach(
    objectsAt(pack, 'questions', '', report),
    '/questions',
    'questionId',
    inHistory.questions,
    questionMembers,
    compare,
    report,
  );
  verifyModels(pack, inHistory, compare, report);
  verifyDecisions(pack, run, events, inHistory, report);
  verifyEditors(pack, compare, report);
  if (pack['schema'] !== FORMAT_1) verifyGaps(pack, events, compare, report);
}

type Compare = (pointer: string, said: Json | undefined, expected: Json) => void;

function compareMembers(
  pointer: string,
  said: JsonObject,
  expected: Readonly<Record<string, Json>>,
  compare: Compare,
): void {
  for (const [name, value] of Object.entries(expected)) compare(`${pointer}/${name}`, said[name], value);
}

/** Checks that a list of a pack has exactly the items that the events record, each once, with the same members. */
function verifyEach<T>(
  list: readonly JsonObject[],
  pointer: string,
  idName: string,
  inHistory: ReadonlyMap<string, T>,
  members: (each: T) => Record<string, Json>,
  compare: Compare,
  report: Report,
): void {
  const seen = new Set<string>();
  for (const [index, said] of list.entries()) {
    const id = textOr(said[idName], '');
    const expected = inHistory.get(id);
    if (expected === undefined || seen.has(id))
      report(
        'statement_differs',
        `${pointer}/${index}`,
        'The events of the run do not contain this, or the pack lists it twice.',
      );
    else compareMembers(`${pointer}/${index}`, said, members(expected), compare);
    seen.add(id);
  }
  for (const id of inHistory.keys())
    if (!seen.has(id)) report('statement_differs', pointer, `${id} is in the events, but missing here.`);
}

function verifyApprovals(
  approvals: readonly JsonObject[],
  { approvals: inHistory, startedBy }: PeopleInHistory,
  compare: Compare,
  report: Report,
): void {
  verifyEach(
    approvals,
    '/approvals',
    'approvalId',
    inHistory,
    (approval) => approvalMembers(approval, startedBy),
    compare,
    report,
  );
  for (const [index, { approvalId, subject }] of approvals.entries()) {
    const { digest: expected, isRequestTold = false } = inHistory.get(textOr(approvalId, '')) ?? {};
    if (expected === undefined) continue;
    // The digest stays in the event. The chain check decides whether the private part may be missing.
    if (!isRequestTold && isJsonObject(subject) && subject['erased'] === true) continue;
    if (digestOf(canonicalJson(subject ?? null)) !== expected)
      report(
        'digest_differs',
        `/approvals/${index}/subject`,
        'This is not the subject that was requested for approval.',
      );
  }
}

function approvalMembers(inHistory: ApprovalInHistory, startedBy: string | null): Record<string, Json> {
  return {
    requestedBy: startedBy,
    requestedAt: isoTime(inHistory.requestedAt),
    status: inHistory.status,
    round: inHistory.round,
    digest: inHistory.digest,
    resolvedAt: timeOf(inHistory.resolvedAt),
    resolvedBy: inHistory.resolvedBy,
    candidateUsers: [...inHistory.candidateUsers],
    candidateGroups: [...inHistory.candidateGroups],
    delegations: inHistory.delegations.map((each) => ({ ...each, until: timeOf(each.until) })),
    quorum: {
      required: inHistory.quorum,
      approvals: approvalsIn(inHistory.votes),
    },
    votes: inHistory.votes.map((each) => ({ ...each, at: isoTime(each.at) })),
  };
}

function artifactMembers({ createdAt, ...artifact }: ArtifactInHistory): Record<string, Json> {
  return { ...artifact, createdAt: isoTime(createdAt) };
}

function questionMembers({ status, answer, answeredBy, closedAt }: QuestionInHistory): Record<string, Json> {
  return {
    status,
    answer,
    answeredBy: answeredBy?.id ?? null,
    answeredByName: answeredBy?.name ?? null,
    closedAt: timeOf(closedAt),
  };
}

/** Checks the newest version of each artifact that a run lists, which `artifacts` of the pack contains as well. */
function verifyNewest(
  artifacts: readonly JsonObject[],
  { artifacts: inHistory }: PeopleInHistory,
  compare: Compare,
): void {
  for (const [index, said] of artifacts.entries()) {
    const expected = inHistory.get(textOr(said['artifactId'], ''));
    if (expected === undefined) compare(`/run/artifacts/${index}`, said, null);
    else compareMembers(`/run/artifacts/${index}`, said, artifactMembers(expected), compare);
  }
}

/** Checks that variables only name deciders that the events record. Their values come from the state of the run. */
function verifyDecisions(
  pack: JsonObject,
  run: JsonObject,
  events: readonly HistoryEvent[],
  { approvals }: PeopleInHistory,
  report: Report,
): void {
  const known = knownDecisions(events, approvals.values());
  const { inputs, variables, steps } = run;
  const hasErasures = events.some(({ type }) => type === ERASURE);
  for (const { pointer, decision, isErased } of decisionsIn({
    run: { inputs: inputs ?? null, variables: variables ?? null, steps: steps ?? null },
    steps: pack['steps'] ?? null,
  })) {
    if (!known.has(decision) && !(isErased && hasErasures))
      report('statement_differs', pointer, 'The events of the run do not contain this decision.');
  }
}

/** Checks who edited a call of an agent against the approved subject, whose digest is in the events. */
function verifyEditors(pack: JsonObject, compare: Compare, report: Report): void {
  const editors = new Map<string, Json>();
  for (const { subject } of objectsAt(pack, 'approvals', '', report)) {
    if (isJsonObject(subject) && subject['kind'] === 'tool_call')
      editors.set(textOr(subject['callId'], ''), subject['editedBy'] ?? null);
  }
  for (const [work, { turns }] of objectsAt(pack, 'agentWork', '', report).entries()) {
    for (const [turn, { calls }] of objectsIn(turns).entries()) {
      for (const [call, { callId, editedBy }] of objectsIn(calls).entries()) {
        compare(
          `/agentWork/${work}/turns/${turn}/calls/${call}/editedBy`,
          editedBy,
          editors.get(textOr(callId, '')) ?? null,
        );
      }
    }
  }
}

function verifyModels(pack: JsonObject, { deployers }: PeopleInHistory, compare: Compare, report: Report): void {
  const earlier = objectsAt(pack, 'earlierVersions', '', report).map(
    (version, index) => [`/earlierVersions/${index}`, version] as const,
  );
  for (const [pointer, { bpmnXml, digest, version, deployedBy }] of [
    ['/workflow', objectAt(pack, 'workflow', '', report)] as const,
    ...earlier,
  ]) {
    if (digestOf(textOr(bpmnXml, '')) !== digest)
      report('digest_differs', pointer, 'The file does not match its digest.');
    if (pack['schema'] !== FORMAT_1)
      compare(`${pointer}/deployedBy`, deployedBy, deployers.get(Number(version)) ?? null);
  }
}

function verifyGaps(pack: JsonObject, events: readonly HistoryEvent[], compare: Compare, report: Report): void {
  // Explanations are not compared: another version may word them differently.
  const said = objectsAt(pack, 'notCovered', '', report).map(({ code, events: positions }) => ({
    code: code ?? null,
    events: positions ?? null,
  }));
  compare(
    '/notCovered',
    said,
    coverageGaps(events).map(({ code, events: positions }) => ({ code, events: [...positions] })),
  );
}

function digestOf(text: string): string {
  return `sha256:${sha256Hex(text)}`;
}

function timeOf(at: number | null): string | null {
  return at === null ? null : isoTime(at);
}
