import { Validator, type Schema } from '@cfworker/json-schema';
import {
  createClient,
  buildEvidencePackJsonSchema,
  type Approval,
  type Client,
  type Problem,
} from '@countersign/contract';
import { verifyEvidence } from '@countersign/model/evidence';
import { approvalModel, createTestHost, isoTimeIn, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import pg from 'pg';
import { expectProblem, waitForApproval } from './http.spec.support.js';

const DAY_MS = 86_400_000;
const approvalExtensions = (assignment: string, quorum = 1): string =>
  `<bpmn:extensionElements><zeebe:assignmentDefinition ${assignment} /><zeebe:properties><zeebe:property name="approval.quorum" value="${quorum}" /></zeebe:properties></bpmn:extensionElements>`;

/** Subjects are UUIDs, like those of Keycloak and Entra ID; workflows name people by e-mail address. */
const ADA_ID = '6f1c2a7e-0000-4000-8000-000000000001';
const BOB_ID = '6f1c2a7e-0000-4000-8000-000000000002';
const CEM_ID = '6f1c2a7e-0000-4000-8000-000000000003';

describe('API: people with user names', () => {
  let countersign: TestHost;
  let viewer: Client;
  let ada: Client;
  let bob: Client;
  let cem: Client;
  let admin: Client;

  const createClientFor = async (subject: string, userName?: string, role: 'approver' | 'admin' = 'approver') =>
    createClient({
      baseUrl: countersign.url,
      token: await countersign.token(role, { subject, ...(userName === undefined ? {} : { userName }) }),
    });

  before(async () => {
    countersign = await createTestHost({ jobTypes: ['work'] });
    await countersign.deploy(approvalModel('by-mail', '', approvalExtensions('candidateUsers="ada@example.com"')));
    await countersign.deploy(
      approvalModel('by-two', '', approvalExtensions('candidateUsers="ada@example.com, cem@example.com"', 2)),
    );
    [viewer, ada, bob, cem, admin] = await Promise.all([
      countersign.client('viewer', 'vera'),
      createClientFor(ADA_ID, 'Ada@Example.com'),
      createClientFor(BOB_ID, 'bob@example.com'),
      createClientFor(CEM_ID, 'cem@example.com'),
      createClientFor('root', 'root@example.com', 'admin'),
    ]);
    await Promise.all([ada, bob, cem, admin].map((client) => client.getMe()));
  });

  after(() => countersign.close());

  afterEach(async () => {
    for (const { subject } of (await admin.listAbsences()).items) await admin.endAbsence({ subject });
  });

  async function createApproval(workflowId = 'by-mail', starter = viewer): Promise<Approval> {
    const { runId } = await starter.startRun({ body: { workflowId } });
    await countersign.jobs.complete('work');
    return waitForApproval(viewer, runId);
  }

  const approve = (client: Client, { approvalId }: Pick<Approval, 'approvalId'>) =>
    client.decideApproval({ approvalId, body: { decision: 'approve' } });
  const approveAndGetProblem = (client: Client, approval: Approval): Promise<Problem> =>
    expectProblem(approve(client, approval));
  const isInOwnInbox = async (client: Client, { approvalId }: Approval) => {
    const { items } = await client.listApprovals({ inbox: 'mine', limit: 200 });
    const others = await client.listApprovals({ inbox: 'others', limit: 200 });
    const found = items.some((each) => each.approvalId === approvalId);
    expect(others.items.some((each) => each.approvalId === approvalId)).to.equal(!found);
    return found;
  };

  /** Checks that the evidence pack of a run is valid and that the run can be replayed. Returns the pack. */
  async function expectValidEvidencePack(runId: string) {
    const pack = await viewer.getEvidencePack({ runId });
    expect(
      new Validator(buildEvidencePackJsonSchema() as Schema, '2020-12', false).validate(pack).errors,
    ).to.deep.equal([]);
    expect(verifyEvidence(JSON.parse(JSON.stringify(pack))).problems).to.deep.equal([]);
    const seq = pack.events.at(-1)?.seq ?? 0;
    expect(await viewer.getRunState({ runId, at: Number(seq) })).to.include({ gap: null });
    return pack;
  }

  it('should return the user names of the caller', async () => {
    expect(await ada.getMe()).to.deep.include({ subject: ADA_ID, userNames: ['Ada@Example.com'] });
    expect(await viewer.getMe()).to.deep.include({ subject: 'vera', userNames: [] });
  });

  it('should match candidates by user name regardless of case, and record subject and user name with the vote', async () => {
    // given
    const approval = await createApproval();
    expect(await isInOwnInbox(ada, approval)).to.equal(true);
    expect(await isInOwnInbox(bob, approval)).to.equal(false);
    expect(await approveAndGetProblem(bob, approval)).to.include({ code: 'not_a_candidate' });
    expect(await approveAndGetProblem(await createClientFor(ADA_ID), approval)).to.include({ code: 'not_a_candidate' });

    // when
    const decidedApproval = await approve(ada, approval);

    // then
    expect(decidedApproval).to.deep.include({ status: 'approved', resolvedBy: ADA_ID });
    expect(decidedApproval.votes[0]).to.deep.include({
      by: ADA_ID,
      byName: 'Ada@Example.com',
      askedAs: ['ada@example.com'],
    });
    const pack = await expectValidEvidencePack(approval.runId);
    expect(pack.approvals[0]?.votes).to.deep.equal(decidedApproval.votes);
    expect(pack.events.find(({ type }) => type === 'approval.voted')?.private).to.deep.include({
      actor: { type: 'user', id: ADA_ID, name: 'Ada@Example.com', userName: 'Ada@Example.com' },
      askedAs: ['ada@example.com'],
    });
  });

  it('should exclude the initiator who is a candidate by user name', async () => {
    // given
    const ownApproval = await createApproval('by-mail', ada);

    // then
    expect(await approveAndGetProblem(ada, ownApproval)).to.include({ code: 'self_approval' });
    expect(await isInOwnInbox(ada, ownApproval)).to.equal(false);
    expect((await ada.getApproval(ownApproval)).canDecide).to.deep.equal({
      allowed: false,
      reasons: ['self_approval'],
    });
  });

  it('should count only one vote of a person who is a candidate under two names', async () => {
    // given
    const { runId } = await viewer.startRun({ body: { workflowId: 'by-two' } });
    await countersign.jobs.complete('work');
    const approval = await waitForApproval(viewer, runId);
    await admin.reassignApproval({
      approvalId: approval.approvalId,
      body: { candidateUsers: [ADA_ID, 'ada@example.com', 'cem@example.com'] },
    });

    // when
    const updatedApproval = await approve(ada, approval);

    // then
    expect(updatedApproval).to.deep.include({ status: 'pending', quorum: { required: 2, approvals: 1 } });
    expect(await approveAndGetProblem(ada, approval)).to.include({ code: 'already_voted' });
    expect(await isInOwnInbox(ada, approval)).to.equal(false);
    expect(await approve(cem, approval)).to.include({ status: 'approved' });
    await expectValidEvidencePack(runId);
  });

  it('should accept delegations to user names and the vote of the delegate', async () => {
    // given
    const approval = await createApproval();
    const { approvalId } = approval;
    expect(await expectProblem(ada.delegateApproval({ approvalId, body: { to: 'ADA@example.com' } }))).to.include({
      code: 'validation_failed',
    });

    // when
    await ada.delegateApproval({ approvalId, body: { to: 'Bob@example.com' } });
    expect(await isInOwnInbox(bob, approval)).to.equal(true);
    const decidedApproval = await approve(bob, approval);

    // then
    expect(decidedApproval.votes[0]).to.deep.include({ by: BOB_ID, inPlaceOf: ADA_ID });
    expect(decidedApproval.delegations[0]).to.deep.include({
      from: ADA_ID,
      to: 'Bob@example.com',
      voteId: decidedApproval.votes[0]?.voteId,
    });
    const pack = await expectValidEvidencePack(approval.runId);
    expect(pack.approvals[0]?.delegations).to.deep.equal(decidedApproval.delegations);
  });

  it('should let the substitute vote when candidate and substitute are given by user name', async () => {
    // given
    const approval = await createApproval('by-two');
    await ada.setMyAbsence({ body: { until: isoTimeIn(DAY_MS), substitute: 'BOB@example.com' } });
    expect((await viewer.getApproval(approval)).absences).to.have.length(1);
    expect(await isInOwnInbox(bob, approval)).to.equal(true);

    // when
    const updatedApproval = await approve(bob, approval);

    // then
    expect(updatedApproval.votes[0]).to.deep.include({ by: BOB_ID, inPlaceOf: ADA_ID, askedAs: ['ada@example.com'] });
    expect(await approveAndGetProblem(ada, approval)).to.include({ code: 'already_voted' });
    expect(await isInOwnInbox(ada, approval)).to.equal(false);
    await approve(cem, approval);
    await expectValidEvidencePack(approval.runId);
  });

  it('should count only one vote of the candidate and the substitute when an administrator sets the absence by user name', async () => {
    // given
    const [first, second] = [await createApproval('by-two'), await createApproval('by-two')];
    await admin.setAbsence({ subject: 'ada@example.com', body: { until: isoTimeIn(DAY_MS), substitute: BOB_ID } });

    // when the substitute votes first, and when the candidate votes first
    await approve(bob, first);
    await approve(ada, second);

    // then
    expect(await approveAndGetProblem(ada, first)).to.include({ code: 'already_voted' });
    expect(await approveAndGetProblem(bob, second)).to.include({ code: 'not_a_candidate' });
    expect(await isInOwnInbox(ada, first)).to.equal(false);
    expect(await isInOwnInbox(bob, second)).to.equal(false);
    for (const { runId } of [first, second])
      expect(await viewer.getRunState({ runId, at: 1 })).to.include({ gap: null });
  });

  it('should exclude the substitute of a person who contributed, when the absence is set by user name', async () => {
    // given
    const ownApproval = await createApproval('by-mail', ada);
    const [absence, subject] = [{ until: isoTimeIn(DAY_MS), substitute: BOB_ID }, 'ADA@example.com'];
    expect((await admin.setAbsence({ subject, body: absence })).subject).to.equal(ADA_ID);

    // then
    expect(await approveAndGetProblem(bob, ownApproval)).to.include({ code: 'not_a_candidate' });
    expect(await isInOwnInbox(bob, ownApproval)).to.equal(false);

    // and when Ada contributes after Bob has approved in her place
    const approval = await createApproval('by-two');
    await approve(bob, approval);
    const { runId } = approval;
    const operator = await createClientFor(ADA_ID, 'ada@example.com', 'admin');
    await operator.uploadArtifact({ runId, artifactName: 'notes.txt', body: 'x', contentType: 'text/plain' });

    // then
    expect((await viewer.getApproval(approval)).quorum).to.deep.equal({ required: 2, approvals: 0 });
  });

  it('should match candidates by current user names after a user name passed to another person', async () => {
    // given
    const boss = await createClientFor('u-dora', 'boss@example.com');
    await countersign.deploy(approvalModel('by-boss', '', approvalExtensions('candidateUsers="boss@example.com"')));
    await boss.getMe();
    await boss.setMyAbsence({ body: { until: isoTimeIn(DAY_MS), substitute: BOB_ID } });
    const approval = await createApproval('by-boss');
    expect(await isInOwnInbox(bob, approval)).to.equal(true);

    // when Dora gets another user name, and another user gets hers
    await (await createClientFor('u-dora', 'dora@example.com')).getMe();
    const successor = await createClientFor('u-eve', 'boss@example.com');

    // then
    expect(await isInOwnInbox(bob, approval)).to.equal(false);
    expect(await approveAndGetProblem(bob, approval)).to.include({ code: 'not_a_candidate' });
    expect(await approve(successor, approval)).to.include({ status: 'approved' });
  });

  describe('an absence set by user name before the first sign-in', () => {
    const absence = { until: isoTimeIn(DAY_MS), substitute: BOB_ID };
    let count = 0;

    /**
     * Deploys a workflow with two candidates: Cem and a user who has never signed in. Returns the id and user name of
     * that user, and the workflow id.
     */
    async function createNewcomer() {
      const [id, name] = [`u-finn-${(count += 1)}`, `finn-${count}@example.com`];
      await countersign.deploy(
        approvalModel(`by-finn-${count}`, '', approvalExtensions(`candidateUsers="${name}, cem@example.com"`, 2)),
      );
      return { id, name, workflowId: `by-finn-${count}` };
    }

    it('should be assigned to the person at their first sign-in', async () => {
      // given
      const { id, name } = await createNewcomer();

      // when
      const set = await admin.setAbsence({ subject: name.toUpperCase(), body: absence });

      // then
      expect(set).to.include({ subject: name.toUpperCase(), awaitsSignIn: true });
      const finn = await createClientFor(id, name);
      expect((await finn.getMyAbsence()).absence).to.include({ subject: id, substitute: BOB_ID, awaitsSignIn: false });
      const { items } = await admin.listAuditEvents({ limit: 5 });
      expect(items.find(({ action }) => action === 'absence.bind')).to.include({ actor: 'countersign', result: 'ok' });
      expect(await finn.endMyAbsence()).to.deep.equal({ absence: null });
      expect((await admin.listAbsences()).items).to.have.length(0);
    });

    it('should give the substitute no vote before the sign-in, and one vote shared with the person afterwards', async () => {
      // given
      const { id, name, workflowId } = await createNewcomer();
      const approval = await createApproval(workflowId);
      await admin.setAbsence({ subject: name, body: absence });
      expect(await approveAndGetProblem(bob, approval)).to.include({ code: 'not_a_candidate' });
      expect(await isInOwnInbox(bob, approval)).to.equal(false);
      expect((await viewer.getApproval(approval)).absences).to.deep.equal([]);

      // when
      const finn = await createClientFor(id, name);
      await finn.getMe();
      const updatedApproval = await approve(bob, approval);

      // then
      expect(updatedApproval).to.deep.include({ status: 'pending', quorum: { required: 2, approvals: 1 } });
      expect(updatedApproval.votes[0]).to.deep.include({ by: BOB_ID, inPlaceOf: id });
      expect(await approveAndGetProblem(finn, approval)).to.include({ code: 'already_voted' });
      expect(await isInOwnInbox(finn, approval)).to.equal(false);
    });

    it('should exclude the substitute from approvals of runs that the absent person started', async () => {
      // given
      const { id, name, workflowId } = await createNewcomer();
      await admin.setAbsence({ subject: name, body: absence });

      // when
      const approval = await createApproval(workflowId, await createClientFor(id, name));

      // then
      expect(await approveAndGetProblem(bob, approval)).to.include({ code: 'not_a_candidate' });
      expect(await isInOwnInbox(bob, approval)).to.equal(false);
    });

    it('should be replaced and ended by the user name regardless of case', async () => {
      // given
      const { id, name } = await createNewcomer();
      await admin.setAbsence({ subject: name.toUpperCase(), body: absence });

      // when
      await admin.setAbsence({ subject: name, body: { until: isoTimeIn(DAY_MS), substitute: CEM_ID } });

      // then
      expect((await admin.listAbsences()).items).to.have.length(1);
      await admin.endAbsence({ subject: name.toUpperCase() });
      expect((await admin.listAbsences()).items).to.have.length(0);
      expect(await (await createClientFor(id, name)).getMyAbsence()).to.deep.equal({ absence: null });
    });

    it('should be refused when a person would be their own substitute', async () => {
      // given
      const { name } = await createNewcomer();
      const set = (subject: string, substitute: string) =>
        expectProblem(admin.setAbsence({ subject, body: { until: isoTimeIn(DAY_MS), substitute } }));

      // then
      expect(await set(name, name.toUpperCase())).to.include({ code: 'validation_failed' });
      expect(await set(ADA_ID, 'ADA@example.com')).to.include({ code: 'validation_failed' });
    });
  });

  it('should treat a name as ambiguous when it is the subject of one person and the user name of another', async () => {
    // given
    await (await createClientFor('ivy')).getMe();
    const [body, otherIvy] = [{ until: isoTimeIn(DAY_MS), substitute: BOB_ID }, await createClientFor('u-ivy', 'Ivy')];
    await countersign.deploy(approvalModel('by-ivy', '', approvalExtensions('candidateUsers="ivy"')));
    expect(await admin.setAbsence({ subject: 'ivy', body })).to.include({ subject: 'ivy', awaitsSignIn: false });
    const approval = await createApproval('by-ivy');
    expect(await isInOwnInbox(bob, approval)).to.equal(true);

    // when
    expect(await otherIvy.getMyAbsence()).to.deep.equal({ absence: null });

    // then
    expect(await isInOwnInbox(bob, approval)).to.equal(false);
    expect(await approveAndGetProblem(bob, approval)).to.include({ code: 'not_a_candidate' });
    expect(await expectProblem(admin.setAbsence({ subject: 'ivy', body }))).to.include({ code: 'validation_failed' });
    expect(await (await createClientFor('ivy')).endMyAbsence()).to.deep.equal({ absence: null });
  });

  it('should give each person with the same user name one vote, and refuse an absence for that user name', async () => {
    // given
    const [firstMember, secondMember] = [
      await createClientFor('u-1', 'team@example.com'),
      await createClientFor('u-2', 'team@example.com'),
    ];
    await countersign.deploy(
      approvalModel('by-team', '', approvalExtensions('candidateUsers="team@example.com, cem@example.com"', 2)),
    );
    await Promise.all([firstMember.getMe(), secondMember.getMe()]);
    const approval = await createApproval('by-team');
    const set = admin.setAbsence({
      subject: 'team@example.com',
      body: { until: isoTimeIn(DAY_MS), substitute: BOB_ID },
    });
    expect(await expectProblem(set)).to.include({ code: 'validation_failed' });

    // when
    expect(await approve(firstMember, approval)).to.include({ status: 'pending' });
    expect(await isInOwnInbox(secondMember, approval)).to.equal(true);

    // then
    expect(await approve(secondMember, approval)).to.include({ status: 'approved' });
  });

  it('should refuse self-appointed substitutes and self-substitution under any user name of the person', async () => {
    // given
    const approval = await createApproval();
    const set = (client: Client, subject: string, substitute: string) =>
      client.setAbsence({ subject, body: { until: isoTimeIn(DAY_MS), substitute } });

    // then
    expect(await expectProblem(set(admin, ADA_ID, 'ROOT@example.com'))).to.include({ code: 'own_substitute' });
    expect(await expectProblem(set(admin, 'root', 'root@example.com'))).to.include({ code: 'validation_failed' });
    expect(
      await expectProblem(ada.setMyAbsence({ body: { until: isoTimeIn(DAY_MS), substitute: 'ada@EXAMPLE.com' } })),
    ).to.include({ code: 'validation_failed' });

    // when a token without the user name sets the absence, and a token with it votes
    await set(await createClientFor('root', undefined, 'admin'), 'ada@example.com', 'root@example.com');

    // then
    expect(await approveAndGetProblem(admin, approval)).to.include({ code: 'not_a_candidate' });
    expect(await isInOwnInbox(admin, approval)).to.equal(false);
  });

  it('should erase the user names of a person with their personal data', async () => {
    // given
    const approval = await createApproval();
    await ada.delegateApproval({ approvalId: approval.approvalId, body: { to: 'BOB@example.com' } });
    await approve(ada, approval);
    const { runId } = approval;
    const substituteApproval = await createApproval();
    await ada.setMyAbsence({ body: { until: isoTimeIn(DAY_MS), substitute: 'cem@example.com' } });
    await approve(cem, substituteApproval);
    expect(
      await expectProblem(admin.erasePersonalData({ runId, body: { person: 'ROOT@example.com', reason: 'x' } })),
    ).to.include({ code: 'validation_failed' });

    // when
    await admin.erasePersonalData({ runId, body: { person: ADA_ID, reason: 'Request 7' } });
    await admin.erasePersonalData({ runId, body: { person: BOB_ID, reason: 'Request 8' } });
    await admin.erasePersonalData({ runId: substituteApproval.runId, body: { person: ADA_ID, reason: 'Request 7' } });

    // then
    const { votes } = await viewer.getApproval(substituteApproval);
    expect(votes).to.have.length(1);
    expect(votes[0]).to.deep.include({ by: CEM_ID, askedAs: ['[erased]'] });
    const pack = await viewer.getEvidencePack({ runId });
    // The BPMN model of the workflow, which is not erased, still names its candidates.
    const { workflow: _workflow, ...packWithoutWorkflow } = pack;
    expect(JSON.stringify(packWithoutWorkflow)).not.to.match(/(ada|bob)@example\.com/i);
    expect(verifyEvidence(JSON.parse(JSON.stringify(pack))).problems).to.deep.equal([]);
    const sql = new pg.Client({ connectionString: countersign.database.connectionString });
    await sql.connect();
    try {
      for (const table of ['runs', 'run_events', 'approvals', 'votes', 'audit_events']) {
        const { rowCount } = await sql.query(
          `SELECT FROM ${table} t WHERE t::text ~* '(ada|bob)@example' AND t.run_id = $1`,
          [runId],
        );
        expect(rowCount, table).to.equal(0);
      }
    } finally {
      await sql.end();
    }
  });
});
