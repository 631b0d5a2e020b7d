import { sha256Hex } from '#sha256';
import { canonicalJson } from '../canonical-json.js';
import { isoTime } from '../iso-time.js';
import { isJsonObject, type Json, type JsonObject } from '../json.js';
import { countApprovals } from '../approval-rules.js';
import type { ApprovalInHistory } from './approval-history.js';
import type { ArtifactInHistory } from './read-artifact.js';
import { findCoverageGaps } from './coverage-gap.js';
import { findDecisions, collectRecordedDecisions } from './find-decisions.js';
import { ERASURE_EVENT_TYPE } from './find-erasures.js';
import type { ReportProblem } from './integrity-problem.js';
import { requireObject, requireObjects, filterObjects, stringOr } from './pack-members.js';
import {
  collectRecordedFacts,
  type HistoryEvent,
  type RecordedFacts,
  type QuestionInHistory,
  type WorkflowInHistory,
} from './recorded-facts.js';

/** The first format: the events of older servers do not record deployers, and the pack does not list coverage gaps. */
const FORMAT_1 = 'urn:countersign:schema:evidence-pack:1';

/**
 * Checks the pack's statements against its events: people, times, the workflow and its versions, approvals, artifacts,
 * questions and coverage gaps.
 */
export function verifyStatements(pack: JsonObject, events: readonly HistoryEvent[], report: ReportProblem): void {
  const recordedFacts = collectRecordedFacts(events);
  const compare: Compare = (pointer, stated, expected) => {
    if (canonicalJson(stated ?? null) !== canonicalJson(expected))
      report('statement_differs', pointer, 'This differs from the events of the run.');
  };
  const run = requireObject(pack, 'run', '', report);
  compareMembers(
    '/run',
    run,
    {
      startedBy: recordedFacts.startedBy,
      startedAt: isoTimeOrNull(recordedFacts.startedAt),
      outcome: recordedFacts.end?.outcome ?? null,
      completedAt: isoTimeOrNull(recordedFacts.end?.at ?? null),
    },
    compare,
  );
  verifyApprovals(requireObjects(pack, 'approvals', '', report), recordedFacts, compare, report);
  verifyList(
    requireObjects(pack, 'artifacts', '', report),
    '/artifacts',
    'artifactId',
    recordedFacts.artifacts,
    toArtifactMembers,
    compare,
    report,
  );
  verifyCurrentArtifacts(requireObjects(run, 'artifacts', '/run', report), recordedFacts, compare);
  verifyList(
    requireObjects(pack, 'questions', '', report),
    '/questions',
    'questionId',
    recordedFacts.questions,
    toQuestionMembers,
    compare,
    report,
  );
  verifyWorkflowVersions(pack, run, recordedFacts, compare, report);
  verifyDecisions(pack, run, events, recordedFacts, report);
  verifyEditors(pack, compare, report);
  if (pack['schema'] !== FORMAT_1) verifyGaps(pack, events, compare, report);
}

type Compare = (pointer: string, stated: Json | undefined, expected: Json) => void;

function compareMembers(
  pointer: string,
  stated: JsonObject,
  expected: Readonly<Record<string, Json>>,
  compare: Compare,
): void {
  for (const [name, value] of Object.entries(expected)) compare(`${pointer}/${name}`, stated[name], value);
}

/** Checks that a list of a pack has exactly the items that the events record, each once, with the same members. */
function verifyList<T>(
  list: readonly JsonObject[],
  pointer: string,
  idName: string,
  expectedById: ReadonlyMap<string, T>,
  members: (each: T) => Record<string, Json>,
  compare: Compare,
  report: ReportProblem,
): void {
  const seenIds = new Set<string>();
  for (const [index, stated] of list.entries()) {
    const id = stringOr(stated[idName], '');
    const expected = expectedById.get(id);
    if (expected === undefined || seenIds.has(id))
      report(
        'statement_differs',
        `${pointer}/${index}`,
        'The events of the run do not contain this, or the pack lists it twice.',
      );
    else compareMembers(`${pointer}/${index}`, stated, members(expected), compare);
    seenIds.add(id);
  }
  for (const id of expectedById.keys())
    if (!seenIds.has(id)) report('statement_differs', pointer, `${id} is in the events, but missing here.`);
}

function verifyApprovals(
  approvals: readonly JsonObject[],
  { approvals: recordedApprovals, startedBy }: RecordedFacts,
  compare: Compare,
  report: ReportProblem,
): void {
  verifyList(
    approvals,
    '/approvals',
    'approvalId',
    recordedApprovals,
    (approval) => toApprovalMembers(approval, startedBy),
    compare,
    report,
  );
  for (const [index, { approvalId, title, subject }] of approvals.entries()) {
    const { digest: expected, hasRequestDetails = false } = recordedApprovals.get(stringOr(approvalId, '')) ?? {};
    if (expected === undefined) continue;
    // The event still contains the digest. The chain check covers whether the private part may be missing.
    if (!hasRequestDetails && isJsonObject(subject) && subject['erased'] === true) continue;
    if (computeDigest(canonicalJson(subject ?? null)) !== expected)
      report(
        'digest_differs',
        `/approvals/${index}/subject`,
        'This is not the subject that was requested for approval.',
      );
    // Other titles are defaults, which no event contains.
    else if (isJsonObject(subject) && typeof subject['title'] === 'string')
      compare(`/approvals/${index}/title`, title, subject['title']);
  }
}

function toApprovalMembers(approval: ApprovalInHistory, startedBy: string | null): Record<string, Json> {
  return {
    requestedBy: startedBy,
    requestedAt: isoTime(approval.requestedAt),
    status: approval.status,
    round: approval.round,
    digest: approval.digest,
    resolvedAt: isoTimeOrNull(approval.resolvedAt),
    resolvedBy: approval.resolvedBy,
    candidateUsers: [...approval.candidateUsers],
    candidateGroups: [...approval.candidateGroups],
    delegations: approval.delegations.map((each) => ({ ...each, until: isoTimeOrNull(each.until) })),
    quorum: {
      required: approval.quorum,
      approvals: countApprovals(approval.votes),
    },
    votes: approval.votes.map((each) => ({ ...each, at: isoTime(each.at) })),
  };
}

function toArtifactMembers({ createdAt, ...artifact }: ArtifactInHistory): Record<string, Json> {
  return { ...artifact, createdAt: isoTime(createdAt) };
}

function toQuestionMembers({ text, status, answer, answeredBy, closedAt }: QuestionInHistory): Record<string, Json> {
  return {
    // Of an erased text, the pack may still contain the rest.
    ...(text === null ? {} : { text }),
    status,
    answer,
    answeredBy: answeredBy?.id ?? null,
    answeredByName: answeredBy?.name ?? null,
    closedAt: isoTimeOrNull(closedAt),
  };
}

/** Checks the newest version of each artifact, which the pack lists in `run.artifacts` as well as in `artifacts`. */
function verifyCurrentArtifacts(
  artifacts: readonly JsonObject[],
  { artifacts: recordedArtifacts }: RecordedFacts,
  compare: Compare,
): void {
  for (const [index, stated] of artifacts.entries()) {
    const expected = recordedArtifacts.get(stringOr(stated['artifactId'], ''));
    if (expected === undefined) compare(`/run/artifacts/${index}`, stated, null);
    else compareMembers(`/run/artifacts/${index}`, stated, toArtifactMembers(expected), compare);
  }
}

/**
 * Checks that the events record all approval decisions that the variables contain. The variables come from the state of
 * the run.
 */
function verifyDecisions(
  pack: JsonObject,
  run: JsonObject,
  events: readonly HistoryEvent[],
  { approvals }: RecordedFacts,
  report: ReportProblem,
): void {
  const recordedDecisions = collectRecordedDecisions(events, approvals.values());
  const { inputs, variables, steps } = run;
  const hasErasures = events.some(({ type }) => type === ERASURE_EVENT_TYPE);
  for (const { pointer, decision, isErased } of findDecisions({
    run: { inputs: inputs ?? null, variables: variables ?? null, steps: steps ?? null },
    steps: pack['steps'] ?? null,
  })) {
    if (!recordedDecisions.has(decision) && !(isErased && hasErasures))
      report('statement_differs', pointer, 'The events of the run do not contain this decision.');
  }
}

/** Checks that the editor of each agent call is the one in the approved subject, whose digest is in the events. */
function verifyEditors(pack: JsonObject, compare: Compare, report: ReportProblem): void {
  const editors = new Map<string, Json>();
  for (const { subject } of requireObjects(pack, 'approvals', '', report)) {
    if (isJsonObject(subject) && subject['kind'] === 'tool_call')
      editors.set(stringOr(subject['callId'], ''), subject['editedBy'] ?? null);
  }
  for (const [workIndex, { turns }] of requireObjects(pack, 'agentWork', '', report).entries()) {
    for (const [turnIndex, { calls }] of filterObjects(turns).entries()) {
      for (const [callIndex, { callId, editedBy }] of filterObjects(calls).entries()) {
        compare(
          `/agentWork/${workIndex}/turns/${turnIndex}/calls/${callIndex}/editedBy`,
          editedBy,
          editors.get(stringOr(callId, '')) ?? null,
        );
      }
    }
  }
}

/** Checks the workflow, its BPMN models and who deployed them. Compares only what the events contain. */
function verifyWorkflowVersions(
  pack: JsonObject,
  run: JsonObject,
  { workflow: recordedWorkflow, deployers }: RecordedFacts,
  compare: Compare,
  report: ReportProblem,
): void {
  const { workflowId: recordedId, version: currentVersion, digests } = recordedWorkflow;
  const workflow = requireObject(pack, 'workflow', '', report);
  const earlierVersions = requireObjects(pack, 'earlierVersions', '', report);
  if (recordedId !== null) compare('/run/workflowId', run['workflowId'], recordedId);
  if (currentVersion !== null) {
    compare('/run/workflowVersion', run['workflowVersion'], currentVersion);
    const currentDigest = digests.get(currentVersion) ?? null;
    if (currentDigest !== null) compare('/run/workflowDigest', run['workflowDigest'], currentDigest);
    compare('/workflow/version', workflow['version'], currentVersion);
    verifyEarlierVersions(earlierVersions, currentVersion, digests, report);
  }
  for (const [pointer, { workflowId, bpmnXml, digest, version, deployedBy }] of [
    ['/workflow', workflow] as const,
    ...earlierVersions.map((each, index) => [`/earlierVersions/${index}`, each] as const),
  ]) {
    if (recordedId !== null) compare(`${pointer}/workflowId`, workflowId, recordedId);
    if (computeDigest(stringOr(bpmnXml, '')) !== digest)
      report('digest_differs', pointer, 'The file does not match its digest.');
    const recordedDigest = digests.get(Number(version)) ?? null;
    if (recordedDigest !== null && digest !== recordedDigest)
      report('digest_differs', `${pointer}/digest`, 'This is not the BPMN model that the events of the run name.');
    const recordedDeployer = deployers.get(Number(version)) ?? null;
    if (recordedDeployer !== null || pack['schema'] !== FORMAT_1)
      compare(`${pointer}/deployedBy`, deployedBy, recordedDeployer);
  }
}

/** Checks that a pack lists exactly the versions that the run has been migrated from, each once. */
function verifyEarlierVersions(
  earlierVersions: readonly JsonObject[],
  currentVersion: number,
  digests: WorkflowInHistory['digests'],
  report: ReportProblem,
): void {
  const missingVersions = new Set([...digests.keys()].filter((version) => version !== currentVersion));
  for (const [index, { version }] of earlierVersions.entries()) {
    if (!missingVersions.delete(Number(version)))
      report(
        'statement_differs',
        `/earlierVersions/${index}/version`,
        'The run has not been migrated from this version, or the pack lists it twice.',
      );
  }
  for (const version of missingVersions)
    report('statement_differs', '/earlierVersions', `Version ${version} is in the events, but missing here.`);
}

function verifyGaps(pack: JsonObject, events: readonly HistoryEvent[], compare: Compare, report: ReportProblem): void {
  // Explanations are not compared: another version may word them differently.
  const stated = requireObjects(pack, 'notCovered', '', report).map(({ code, events: positions }) => ({
    code: code ?? null,
    events: positions ?? null,
  }));
  compare(
    '/notCovered',
    stated,
    findCoverageGaps(events).map(({ code, events: positions }) => ({ code, events: [...positions] })),
  );
}

function computeDigest(text: string): string {
  return `sha256:${sha256Hex(text)}`;
}

function isoTimeOrNull(at: number | null): string | null {
  return at === null ? null : isoTime(at);
}
