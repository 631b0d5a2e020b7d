import { createHash } from 'node:crypto';
import type { EvidenceAuditEvent, EvidenceEvent, EvidencePack } from '@countersign/contract';
import { verifyEvidencePack } from '@countersign/model/evidence';
import { expect } from 'chai';
import { checkAgentWork } from './check-agents.spec.support.js';
import { checkSignatures } from './check-signatures.spec.support.js';
import { canonicalize, isEqual, sha256, type Check } from './checks.spec.support.js';

/*
 * The checks of an auditor who has only an evidence pack. They use no code of Countersign, only the description in the
 * published schema of the pack.
 */

type ChainedEvent = Pick<
  EvidenceEvent | EvidenceAuditEvent,
  'seq' | 'private' | 'salt' | 'commitment' | 'previousHash' | 'hash'
>;

const EVENT_FIELDS = ['seq', 'at', 'type', 'stepId', 'elementId', 'data', 'commitment', 'previousHash'];
const AUDIT_FIELDS = ['seq', 'auditId', 'at', 'action', 'target', 'result', 'commitment', 'previousHash'];
const END_EVENT_TYPES = ['run.completed', 'run.rejected', 'run.cancelled', 'run.failed'];
const RESOLUTION_EVENT_TYPES = ['approval.resolved', 'approval.withdrawn', 'approval.expired'];

/** Returns every mismatch in a pack; empty for a valid pack. */
export function findPackErrors(pack: EvidencePack): string[] {
  const errors: string[] = [];
  const check = (holds: boolean, message: string): void => {
    if (!holds) errors.push(message);
  };
  checkChain(pack, pack.events, pack.chain.runHead, EVENT_FIELDS, 'events', check);
  checkChain(pack, pack.auditEvents, pack.chain.auditHead, AUDIT_FIELDS, 'auditEvents', check);
  for (const entry of pack.refusals) check(hasValidHash(entry, AUDIT_FIELDS, null), `refusals: hash of ${entry.seq}`);
  const { seq: lastSeq = 0 } = pack.events.at(-1) ?? {};
  const auditedSeqs = pack.auditEvents.map((entry) => Number(entry.target?.['eventSeq']));
  check(
    auditedSeqs.every((seq, index) => seq > (auditedSeqs[index - 1] ?? 0)) && auditedSeqs.at(-1) === lastSeq,
    'auditEvents and events belong together',
  );
  for (const event of pack.events) checkPersons(event, check);
  for (const entry of [...pack.auditEvents, ...pack.refusals]) checkAuditPersons(entry, check);
  checkModels(pack, check);
  checkRun(pack, check);
  for (const approval of pack.approvals) checkApproval(pack, approval, check);
  checkSteps(pack, check);
  checkArtifacts(pack, check);
  checkDecisions(pack, check);
  checkAgentWork(pack, check);
  checkSignatures(pack, check);
  // A pack that passes these checks must also pass the product's own check.
  if (errors.length === 0) expect(verifyEvidencePack(pack).problems).to.deep.equal([]);
  return errors;
}

function checkChain(
  pack: EvidencePack,
  links: readonly ChainedEvent[],
  chainHead: { seq: number; hash: string },
  fields: readonly string[],
  name: string,
  check: Check,
): void {
  let previous = pack.chain.genesis;
  for (const [index, link] of links.entries()) {
    check(link.seq === index + 1 && link.previousHash === previous, `${name}: link ${index + 1}`);
    check(hasValidHash(link, fields, pack.run.runId), `${name}: hash of ${link.seq}`);
    previous = link.hash;
  }
  check(chainHead.seq === links.length && chainHead.hash === previous, `${name}: head`);
}

function hasValidHash(link: ChainedEvent, fields: readonly string[], runId: string | null): boolean {
  if (link.private !== null && sha256({ private: link.private, salt: link.salt }) !== link.commitment) return false;
  const values = link as unknown as Record<string, unknown>;
  return sha256({ runId, ...Object.fromEntries(fields.map((name) => [name, values[name]])) }) === link.hash;
}

/** Checks that the people named in an event match the digests that were hashed with it. */
function checkPersons({ seq, data, private: privateData }: EvidenceEvent, check: Check): void {
  const salts = (privateData?.['personSalts'] ?? {}) as Record<string, string | string[]>;
  for (const [member, digests] of Object.entries((data['personDigests'] ?? {}) as Record<string, string | string[]>)) {
    const expectedDigests = [privateData?.[member]].flat().map((person, index) => {
      const { id, type } = (typeof person === 'string' ? { id: person, type: 'user' } : person) as {
        id: string;
        type: string;
      };
      return sha256({ id, type, salt: [salts[member]].flat()[index] });
    });
    check(isEqual(expectedDigests, [digests].flat()), `events: ${member} of ${seq}`);
  }
}

function checkAuditPersons({ seq, target, private: privateData }: EvidenceAuditEvent, check: Check): void {
  const data = (privateData?.['data'] ?? {}) as Record<string, unknown>;
  const salts = (data['personSalts'] ?? {}) as Record<string, string>;
  for (const [member, digest] of Object.entries((target?.['personDigests'] ?? {}) as Record<string, string>)) {
    const { id, type } = (member === 'actor' ? privateData?.['actor'] : { id: data[member], type: 'user' }) as {
      id: string;
      type: string;
    };
    check(sha256({ id, type, salt: salts[member] }) === digest, `auditEvents: ${member} of ${seq}`);
  }
}

/** Returns the version and digest of the BPMN model after an event: the model of the start or of the last migration. */
function findModelAt({ events }: EvidencePack, seq: number): { version: unknown; digest: unknown } {
  const last =
    events.findLast((event) => event.seq <= seq && (event.type === 'run.started' || event.type === 'run.migrated'))
      ?.data ?? {};
  return { version: last['toVersion'] ?? last['workflowVersion'], digest: last['toDigest'] ?? last['workflowDigest'] };
}

function checkModels(pack: EvidencePack, check: Check): void {
  const { run, workflow, earlierVersions, events } = pack;
  const models = [workflow, ...earlierVersions];
  for (const model of models)
    check(
      textDigest(model.bpmnXml) === model.digest && model.workflowId === run.workflowId,
      `workflow: digest of version ${model.version}`,
    );
  const migrations = events.filter((event) => event.type === 'run.migrated');
  for (const { seq, data } of migrations)
    check(
      isEqual(findModelAt(pack, seq - 1), { version: data['fromVersion'], digest: data['fromDigest'] }),
      `run: migration at ${seq}`,
    );
  const runModels = [events[0], ...migrations].map((event) => findModelAt(pack, event?.seq ?? 0));
  check(
    runModels.every(({ version, digest }) =>
      models.some((model) => model.version === version && model.digest === digest),
    ),
    'run: models',
  );
  check(
    isEqual(runModels.at(-1), { version: workflow.version, digest: workflow.digest }) &&
      run.workflowDigest === workflow.digest &&
      run.workflowVersion === workflow.version,
    'run: workflow',
  );
}

function checkRun({ run, events, approvals }: EvidencePack, check: Check): void {
  const [first] = events;
  check(first?.type === 'run.started' && first.data['runId'] === run.runId, 'run: id');
  check(
    first?.at === run.startedAt &&
      isEqual((first.private?.['actor'] as { id: string }).id, run.startedBy) &&
      isEqual(collectInputs(events), run.inputs),
    'run: start',
  );
  const end = events.find((event) => END_EVENT_TYPES.includes(event.type));
  check((end?.type.slice('run.'.length) ?? null) === run.outcome && (end?.at ?? null) === run.completedAt, 'run: end');
  check(approvals.length === events.filter((event) => event.type === 'approval.requested').length, 'approvals: number');
}

/** Returns the inputs of the run, which include the payloads of messages. */
function collectInputs(events: EvidencePack['events']): object {
  const inputObjects = events.flatMap(({ type, private: privateData }) =>
    type === 'run.started'
      ? [privateData?.['inputs'], (privateData?.['startEvent'] as { payload?: object } | undefined)?.payload]
      : type === 'message.received'
        ? [privateData?.['payload']]
        : [],
  );
  return Object.assign({}, ...inputObjects) as object;
}

function checkApproval(pack: EvidencePack, approval: EvidencePack['approvals'][number], check: Check): void {
  const { events, run } = pack;
  const name = `approval ${approval.approvalId}`;
  const approvalEvents = events.filter((event) => event.data['approvalId'] === approval.approvalId);
  const requestedEvent = approvalEvents.find((event) => event.type === 'approval.requested');
  check(
    `sha256:${sha256(approval.subject)}` === approval.digest && requestedEvent?.data['digest'] === approval.digest,
    `${name}: digest`,
  );
  const { version, digest } = findModelAt(pack, requestedEvent?.seq ?? 0);
  const { definition } = approval.subject;
  check(
    approval.subject.runId === run.runId && definition.digest === digest && definition.workflowVersion === version,
    `${name}: subject`,
  );
  check(
    requestedEvent?.data['round'] === approval.round &&
      requestedEvent.data['quorum'] === approval.quorum.required &&
      requestedEvent.at === approval.requestedAt &&
      (requestedEvent.data['signatureRequired'] ?? false) === approval.signatureRequired,
    `${name}: request`,
  );
  const voteEvents = approvalEvents.filter((event) => event.type === 'approval.voted');
  const notCountedIds = voteEvents.flatMap(({ data }) => (data['notCounted'] ?? []) as string[]);
  const eventVotes = voteEvents.map(({ at, data, private: privateData }) => {
    const { id, name: byName } = privateData?.['actor'] as { id: string; name: string | null };
    const { jws = null, keyId = null } = (privateData?.['signature'] ?? {}) as { jws?: string; keyId?: string };
    return {
      voteId: data['voteId'],
      decision: data['decision'],
      comment: privateData?.['comment'],
      by: id,
      byName,
      inPlaceOf: privateData?.['inPlaceOf'] ?? null,
      at,
      digest: data['digest'],
      signature: jws,
      keyId,
      ...toShown(data['shown'], privateData?.['shownNames']),
      ...(notCountedIds.includes(String(data['voteId'])) ? { counts: false } : {}),
    };
  });
  check(
    isEqual(eventVotes, approval.votes) && approval.votes.every((vote) => vote.digest === approval.digest),
    `${name}: votes`,
  );
  check(
    [approval.votes.map(({ by }) => by), approval.votes.map(({ by, inPlaceOf }) => inPlaceOf ?? by)].every(
      (people) => new Set(people).size === people.length,
    ),
    `${name}: one vote each`,
  );
  const resolution = approvalEvents.find((event) => RESOLUTION_EVENT_TYPES.includes(event.type));
  const status =
    resolution === undefined ? 'pending' : (resolution.data['status'] ?? resolution.type.slice('approval.'.length));
  check(status === approval.status && (resolution?.at ?? null) === approval.resolvedAt, `${name}: status`);
  const approvals = approval.votes.filter(
    ({ decision, voteId }) => decision === 'approve' && !notCountedIds.includes(voteId),
  ).length;
  check(
    approvals === approval.quorum.approvals &&
      (approval.status !== 'approved' || approvals >= approval.quorum.required),
    `${name}: quorum`,
  );
}

/** Combines digests and extents, which are public, with names, which are private. */
function toShown(shown: unknown, names: unknown): object {
  return shown === undefined
    ? {}
    : { shown: (shown as object[]).map((each, index) => ({ ...each, name: (names as string[])[index] })) };
}

function checkSteps({ events, steps }: EvidencePack, check: Check): void {
  check(steps.length === new Set(events.flatMap((event) => event.stepId ?? [])).size, 'steps: number');
  for (const step of steps) {
    const stepEvents = events.filter((event) => event.stepId === step.stepId);
    // Events of an agent's calls are checked with the calls.
    const recordedDecision = stepEvents.findLast(
      (event) => event.type.startsWith('step.') && event.data['policyDecision'] !== undefined,
    )?.data['policyDecision'];
    const { decidedAt: _at, ...decision } = step.policyDecision ?? {};
    check(
      !step.type.toLowerCase().endsWith('task') ||
        (recordedDecision !== undefined && isEqual(recordedDecision, decision)),
      `step ${step.elementId}: policy decision`,
    );
    const completedEvent = stepEvents.findLast((event) => event.type === 'step.completed');
    check(
      (completedEvent?.private?.['output'] ?? null) === step.output ||
        isEqual(completedEvent?.private?.['output'], step.output),
      `step ${step.elementId}: output`,
    );
  }
}

function checkArtifacts({ events, artifacts }: EvidencePack, check: Check): void {
  const createdEvents = events.filter((event) => event.type === 'artifact.created');
  const eventArtifacts = createdEvents.map(
    ({ at, data: { personDigests: _checked, ...data }, private: privateData }) => ({
      ...data,
      name: privateData?.['name'],
      contentType: privateData?.['contentType'],
      createdAt: at,
      createdBy: (privateData?.['actor'] as { id: string }).id,
    }),
  );
  check(isEqual(eventArtifacts, artifacts), 'artifacts');
}

function checkDecisions({ events, decisionFiles }: EvidencePack, check: Check): void {
  for (const { digest, dmnXml } of decisionFiles)
    check(textDigest(dmnXml) === digest, `decision file ${digest}: digest`);
  const decisionsInFiles = decisionFiles.flatMap(({ digest, decisions }) =>
    decisions.map(({ decisionId, version }) => canonicalize({ decisionId, version, digest })),
  );
  const evaluationEvents = events.filter(({ type }) => type === 'decision.evaluated' || type === 'decision.failed');
  const evaluatedDecisions = evaluationEvents.map(({ data: { decisionId, version, digest } }) =>
    canonicalize({ decisionId, version, digest }),
  );
  check(
    isEqual([...new Set(evaluatedDecisions)].sort(), decisionsInFiles.sort()),
    'decisions: same as the evaluated ones',
  );
}

function textDigest(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
