import { expect } from 'chai';
import { sha256Hex } from '#sha256';
import type { RunEventDraft } from '../advance-result.js';
import { chainAudit } from '../audit-chain.js';
import { canonicalJson } from '../canonical-json.js';
import { isoTime } from '../iso-time.js';
import type { Json, JsonObject } from '../json.js';
import { PersonSalts } from '../person-digest.js';
import { chainEvents, GENESIS_HASH } from '../run-event.js';
import type { RunEventType } from '../run-event-definitions.js';
import type { EvidenceCheck } from './evidence-check.js';
import { verifyEvidencePack } from './verify-evidence-pack.js';

const RUN_ID = '01a2030c-ba17-7acc-9fd3-5e425291ad1d';
const T0 = Date.UTC(2026, 0, 1);
const actor = (id: string): JsonObject => ({ actor: { type: 'user', id, name: null } });
const draft = (seq: number, type: RunEventType, data: JsonObject, privatePart: JsonObject | null): RunEventDraft => ({
  seq,
  at: T0 + seq,
  type,
  stepId: null,
  elementId: null,
  data,
  private: privatePart,
});

const computeDigest = (text: string): string => `sha256:${sha256Hex(text)}`;
const computeSubjectDigest = (subject: Json): string => computeDigest(canonicalJson(subject));

const MODEL = '<bpmn:definitions />';
const STARTED = draft(
  1,
  'run.started',
  { runId: RUN_ID, workflowId: 'research', workflowVersion: 1, workflowDigest: computeDigest(MODEL) },
  { ...actor('vera'), deployedBy: 'root', inputs: {} },
);
const UPLOADED = draft(
  2,
  'artifact.created',
  { artifactId: 'a', version: 1, size: 5, sha256: '0' },
  { ...actor('ugo'), name: 'notes.txt', contentType: 'text/plain' },
);
const erasureDraft = (seq: number, events: number[], auditEvents: number[] = []): RunEventDraft =>
  draft(seq, 'personal_data.erased', { events, auditEvents }, actor('root'));

/** Builds the pack of a run with these events, each recorded by a separate command. */
function buildPack(drafts: readonly RunEventDraft[], overrides: JsonObject) {
  const events = chainEvents(
    RUN_ID,
    GENESIS_HASH,
    drafts,
    (seq) => String(seq).padStart(32, '0'),
    new PersonSalts({}, () => 'ab'.repeat(16)),
  );
  const entry = (seq: number) => ({
    at: T0,
    actor: { type: 'user' as const, id: 'root', name: null },
    action: 'a',
    target: { type: 'run', id: RUN_ID, eventSeq: seq },
    result: 'ok' as const,
    from: null,
    data: {},
  });
  const audit = chainAudit(
    RUN_ID,
    0,
    GENESIS_HASH,
    drafts.map(({ seq }) => entry(seq)),
    (_, seq) => `audit-${seq}`,
    (seq) => String(seq).padStart(32, 'f'),
  );
  const chainHead = (chain: readonly { seq: number; hash: string }[]) => ({
    seq: chain.at(-1)?.seq ?? 0,
    hash: chain.at(-1)?.hash ?? '',
  });
  return {
    schema: 'urn:countersign:schema:evidence-pack:2',
    server: { serverId: 'server' },
    run: {
      runId: RUN_ID,
      workflowId: 'research',
      workflowVersion: 1,
      workflowDigest: computeDigest(MODEL),
      startedBy: 'vera',
      startedAt: isoTime(T0 + 1),
      outcome: null,
      completedAt: null,
      artifacts: [],
    },
    workflow: {
      workflowId: 'research',
      version: 1,
      bpmnXml: MODEL,
      digest: computeDigest(MODEL),
      deployedBy: 'root' as string | null,
    },
    earlierVersions: [],
    approvals: [],
    questions: [],
    agentWork: [],
    signingKeys: [],
    artifacts: [
      {
        artifactId: 'a',
        name: 'notes.txt' as string | null,
        version: 1,
        size: 5,
        sha256: '0',
        contentType: 'text/plain' as string | null,
        createdAt: isoTime(T0 + 2),
        createdBy: 'ugo' as string | null,
      },
    ],
    notCovered: [] as JsonObject[],
    events: events.map(({ at, dataText: _data, privateText: _private, ...event }) => ({ ...event, at: isoTime(at) })),
    auditEvents: audit.map(
      ({ at, actor: by, from, data, actorText: _by, targetText: _target, dataText: _data, ...record }) => ({
        ...record,
        at: isoTime(at),
        private: { actor: by, from, data } as object | null,
        salt: record.salt as string | null,
      }),
    ),
    refusals: [],
    chain: { runHead: chainHead(events), auditHead: chainHead(audit) },
    ...overrides,
  };
}

type Pack = ReturnType<typeof buildPack>;

function removePrivatePart(pack: Pack, position: number): void {
  Object.assign(pack.events[position - 1]!, { private: null, salt: null });
}

const findProblems = (pack: Pack): string[] =>
  verifyEvidencePack(pack).problems.map(({ code, pointer }) => `${code} ${pointer}`);

describe('verifyEvidencePack()', () => {
  const artifactsWithoutPeople = [
    {
      artifactId: 'a',
      name: null,
      version: 1,
      size: 5,
      sha256: '0',
      contentType: null,
      createdAt: isoTime(T0 + 2),
      createdBy: null,
    },
  ];
  const statedGaps = [{ code: 'private_part_erased', events: [2], explanation: 'Worded differently.' }];

  it('should accept a pack whose people are covered by events', () => {
    expect(verifyEvidencePack(buildPack([STARTED, UPLOADED], {}))).to.deep.equal({
      problems: [],
      notCovered: [],
    } satisfies EvidenceCheck);
  });

  it('should accept a pack after a recorded erasure and report what was erased', () => {
    const statedGapsWithAudit = [
      { code: 'audit_private_part_erased', events: [2], explanation: 'Worded differently.' },
      ...statedGaps,
    ];
    const pack = buildPack([STARTED, UPLOADED, erasureDraft(3, [2], [2])], {
      artifacts: artifactsWithoutPeople,
      notCovered: statedGapsWithAudit,
    });
    removePrivatePart(pack, 2);
    Object.assign(pack.auditEvents[1]!, { private: null, salt: null });

    const { problems, notCovered } = verifyEvidencePack(pack);
    expect(problems).to.deep.equal([]);
    expect(notCovered.map(({ code, events }) => ({ code, events }))).to.deep.equal([
      { code: 'audit_private_part_erased', events: [2] },
      { code: 'private_part_erased', events: [2] },
    ]);
  });

  it('should refuse another name in place of an erased one', () => {
    const pack = buildPack([STARTED, UPLOADED, erasureDraft(3, [2])], {
      artifacts: [{ ...artifactsWithoutPeople[0], createdBy: 'innocent' }],
      notCovered: statedGaps,
    });
    removePrivatePart(pack, 2);
    expect(findProblems(pack)).to.deep.equal(['statement_differs /artifacts/0/createdBy']);

    Object.assign(pack.events[1]!, {
      private: { ...actor('innocent'), personSalts: { actor: 'ab'.repeat(16) } },
      salt: '0'.repeat(32),
    });
    expect(findProblems(pack)).to.include.members([
      'commitment_differs /events/1',
      'person_differs /events/1/private/actor',
    ]);
  });

  it('should refuse a pack that omits an erasure', () => {
    const pack = buildPack([STARTED, UPLOADED, erasureDraft(3, [2])], { artifacts: artifactsWithoutPeople });
    removePrivatePart(pack, 2);
    expect(findProblems(pack)).to.deep.equal(['statement_differs /notCovered']);
  });

  it('should refuse a missing private part without a later erasure event', () => {
    const packWithoutErasureEvent = buildPack([STARTED, UPLOADED], { artifacts: artifactsWithoutPeople });
    removePrivatePart(packWithoutErasureEvent, 2);
    expect(findProblems(packWithoutErasureEvent)).to.deep.equal(['private_part_missing /events/1']);

    const packWithEarlierErasure = buildPack(
      [STARTED, UPLOADED, erasureDraft(3, [4]), draft(4, 'run.recovered', {}, actor('otto'))],
      {},
    );
    removePrivatePart(packWithEarlierErasure, 4);
    expect(findProblems(packWithEarlierErasure)).to.deep.equal(['private_part_missing /events/3']);
  });

  it('should refuse an erasure that was added or altered by hand', () => {
    const pack = buildPack([STARTED, UPLOADED, erasureDraft(3, [1])], {
      artifacts: artifactsWithoutPeople,
      notCovered: statedGaps,
    });
    removePrivatePart(pack, 2);
    (pack.events[2]!.data as JsonObject)['events'] = [2];
    expect(findProblems(pack)).to.deep.equal(['chain_broken /events/2']);
  });

  const decision = { decision: 'approve', comment: null, decidedBy: 'ada', decidedAt: isoTime(T0), round: 1 };

  it('should refuse a decision variable without an event, but accept external variables', () => {
    const receivedMessage = draft(3, 'message.received', {}, { payload: { of: [{ other: decision }] } });
    const variables = { 'a/b': [{ ...decision, comment: 'Translated.' }] };
    const pack = buildPack([STARTED, UPLOADED, receivedMessage], {});
    expect(findProblems({ ...pack, run: { ...pack.run, variables } } as Pack)).to.deep.equal([]);

    variables['a/b'][0]!.decidedBy = 'innocent';
    expect(findProblems({ ...pack, run: { ...pack.run, variables } } as Pack)).to.deep.equal([
      'statement_differs /run/variables/a~1b/0',
    ]);
  });

  describe('the workflow', () => {
    const MIGRATED_MODEL = '<bpmn:definitions><bpmn:process /></bpmn:definitions>';
    const migratedDraft = draft(
      3,
      'run.migrated',
      {
        fromVersion: 1,
        fromDigest: computeDigest(MODEL),
        toVersion: 2,
        toDigest: computeDigest(MIGRATED_MODEL),
      },
      { ...actor('otto'), comment: null, deployedBy: 'dora' },
    );

    function buildMigratedPack() {
      const pack = buildPack([STARTED, UPLOADED, migratedDraft], {});
      const digest = computeDigest(MIGRATED_MODEL);
      return {
        ...pack,
        run: { ...pack.run, workflowVersion: 2, workflowDigest: digest },
        workflow: { ...pack.workflow, version: 2, bpmnXml: MIGRATED_MODEL, digest, deployedBy: 'dora' },
        earlierVersions: [pack.workflow],
      };
    }

    it('should refuse another BPMN model, even with a matching digest', () => {
      const pack = buildPack([STARTED, UPLOADED], {});
      Object.assign(pack.workflow, { bpmnXml: MIGRATED_MODEL, digest: computeDigest(MIGRATED_MODEL) });
      expect(findProblems(pack)).to.deep.equal(['digest_differs /workflow/digest']);
    });

    it('should refuse another workflow or version', () => {
      const pack = buildPack([STARTED, UPLOADED], {});
      Object.assign(pack.workflow, { workflowId: 'payments', version: 7 });
      Object.assign(pack.run, { workflowId: 'payments', workflowVersion: 7, workflowDigest: 'sha256:0' });
      expect(findProblems(pack)).to.deep.equal([
        'statement_differs /run/workflowId',
        'statement_differs /run/workflowVersion',
        'statement_differs /run/workflowDigest',
        'statement_differs /workflow/version',
        'statement_differs /workflow/workflowId',
        'statement_differs /workflow/deployedBy',
      ]);
    });

    it('should accept a migrated run, and refuse another model of an earlier version', () => {
      const pack = buildMigratedPack();
      expect(verifyEvidencePack(pack).problems).to.deep.equal([]);

      const forgedPack = {
        ...pack,
        earlierVersions: [{ ...pack.earlierVersions[0], bpmnXml: '', digest: computeDigest('') }],
      };
      expect(findProblems(forgedPack as unknown as Pack)).to.deep.equal(['digest_differs /earlierVersions/0/digest']);
    });

    it('should refuse earlier versions that are missing, repeated or unknown', () => {
      const pack = buildMigratedPack();
      const [version] = pack.earlierVersions;
      const findEarlierProblems = (earlierVersions: unknown[]): string[] =>
        findProblems({ ...pack, earlierVersions } as unknown as Pack);
      expect(findEarlierProblems([])).to.deep.equal(['statement_differs /earlierVersions']);
      expect(findEarlierProblems([version, version])).to.deep.equal(['statement_differs /earlierVersions/1/version']);
      expect(findEarlierProblems([version, { ...version, version: 9, deployedBy: null }])).to.deep.equal([
        'statement_differs /earlierVersions/1/version',
      ]);
    });

    it('should accept events that do not contain the workflow', () => {
      const started = draft(1, 'run.started', { runId: RUN_ID }, STARTED.private);
      const pack = buildPack([started, UPLOADED], {});
      pack.workflow.deployedBy = null;
      expect(findProblems(pack)).to.deep.equal([]);
    });

    it('should compare the deployer in a pack of format 1 only if the events contain one', () => {
      const schema = 'urn:countersign:schema:evidence-pack:1';
      const { deployedBy: _deployedBy, ...privateWithoutDeployer } = STARTED.private as JsonObject;
      const olderPack = buildPack([{ ...STARTED, private: privateWithoutDeployer }, UPLOADED], { schema });
      expect(findProblems(olderPack)).to.deep.equal([]);

      const pack = buildPack([STARTED, UPLOADED], { schema });
      expect(findProblems(pack)).to.deep.equal([]);
      pack.workflow.deployedBy = 'innocent';
      expect(findProblems(pack)).to.deep.equal(['statement_differs /workflow/deployedBy']);
    });
  });

  describe('the title of an approval', () => {
    const buildApprovalPack = (title: string, subject: JsonObject, requestedSubject = subject, isErased = false) => {
      const digest = computeSubjectDigest(requestedSubject);
      const requested = draft(
        3,
        'approval.requested',
        { approvalId: 'approval', round: 1, digest, quorum: 1 },
        { candidateUsers: [], candidateGroups: [] },
      );
      const approval = {
        approvalId: 'approval',
        title,
        requestedBy: 'vera',
        requestedAt: isoTime(T0 + 3),
        status: 'pending',
        round: 1,
        digest,
        resolvedAt: null,
        resolvedBy: null,
        candidateUsers: [],
        candidateGroups: [],
        delegations: [],
        quorum: { required: 1, approvals: 0 },
        votes: [],
        subject,
      };
      const drafts = [STARTED, UPLOADED, requested, ...(isErased ? [erasureDraft(4, [3])] : [])];
      const notCovered = isErased ? [{ code: 'private_part_erased', events: [3], explanation: '' }] : [];
      const pack = buildPack(drafts, { approvals: [approval], notCovered });
      if (isErased) removePrivatePart(pack, 3);
      return pack;
    };
    const subject = { kind: 'user_task', inputs: {}, title: 'Pay 5 EUR' };

    it('should be the one in the subject', () => {
      expect(findProblems(buildApprovalPack('Pay 5 EUR', subject))).to.deep.equal([]);
      expect(findProblems(buildApprovalPack('Pay 9 EUR', subject))).to.deep.equal([
        'statement_differs /approvals/0/title',
      ]);
    });

    it('should not be compared if the subject has none, or was erased', () => {
      expect(findProblems(buildApprovalPack('Review', { kind: 'user_task', inputs: {} }))).to.deep.equal([]);
      const erasedSubject = { ...subject, title: '[erased]', erased: true };
      expect(findProblems(buildApprovalPack('Pay', erasedSubject, subject, true))).to.deep.equal([]);
    });
  });

  describe('the text of a question', () => {
    const asked = draft(
      3,
      'question.asked',
      { questionId: 'question', purpose: 'ask', callId: null, dueAt: null },
      { text: 'Who owns this?', options: null, answerSchema: null },
    );
    const answered = draft(
      4,
      'question.answered',
      { questionId: 'question', purpose: 'ask', callId: null },
      { ...actor('ada'), answer: 'Printing' },
    );
    const question = {
      questionId: 'question',
      text: 'Who owns this?',
      status: 'answered',
      answer: 'Printing',
      answeredBy: 'ada',
      answeredByName: null,
      closedAt: isoTime(T0 + 4),
    };

    it('should be the one in the event', () => {
      const drafts = [STARTED, UPLOADED, asked, answered];
      expect(findProblems(buildPack(drafts, { questions: [question] }))).to.deep.equal([]);
      expect(findProblems(buildPack(drafts, { questions: [{ ...question, text: 'Who pays?' }] }))).to.deep.equal([
        'statement_differs /questions/0/text',
      ]);
    });

    it('should not be compared after its erasure', () => {
      const pack = buildPack([STARTED, UPLOADED, asked, answered, erasureDraft(5, [3])], {
        questions: [{ ...question, text: 'Who owns [erased]?' }],
        notCovered: [{ code: 'private_part_erased', events: [3], explanation: '' }],
      });
      removePrivatePart(pack, 3);
      expect(findProblems(pack)).to.deep.equal([]);
    });
  });
});
