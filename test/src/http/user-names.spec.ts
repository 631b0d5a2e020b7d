import { Validator, type Schema } from '@cfworker/json-schema';
import { createClient, evidencePackJsonSchema, type Approval, type Client, type Problem } from '@countersign/contract';
import { verifyEvidence } from '@countersign/model/evidence';
import { approvalModel, createTestHost, isoIn, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import pg from 'pg';
import { problemOf, untilApproval } from './http.spec.support.js';

const TOMORROW = 86_400_000;
const asking = (assignment: string, quorum = 1): string =>
  `<bpmn:extensionElements><zeebe:assignmentDefinition ${assignment} /><zeebe:properties><zeebe:property name="approval.quorum" value="${quorum}" /></zeebe:properties></bpmn:extensionElements>`;

/** Subjects are UUIDs, like those of Keycloak and Entra ID; workflows name people by e-mail address. */
const ADA = '6f1c2a7e-0000-4000-8000-000000000001';
const BOB = '6f1c2a7e-0000-4000-8000-000000000002';
const CEM = '6f1c2a7e-0000-4000-8000-000000000003';

describe('API: people with user names', () => {
  let countersign: TestHost;
  let viewer: Client;
  let ada: Client;
  let bob: Client;
  let cem: Client;
  let admin: Client;

  const clientOf = async (subject: string, userName?: string, role: 'approver' | 'admin' = 'approver') =>
    createClient({
      baseUrl: countersign.url,
      token: await countersign.token(role, { subject, ...(userName === undefined ? {} : { userName }) }),
    });

  before(async () => {
    countersign = await createTestHost({ jobTypes: ['work'] });
    await countersign.deploy(approvalModel('by-mail', '', asking('candidateUsers="ada@example.com"')));
    await countersign.deploy(
      approvalModel('by-two', '', asking('candidateUsers="ada@example.com, cem@example.com"', 2)),
    );
    [viewer, ada, bob, cem, admin] = await Promise.all([
      countersign.client('viewer', 'vera'),
      clientOf(ADA, 'Ada@Example.com'),
      clientOf(BOB, 'bob@example.com'),
      clientOf(CEM, 'cem@example.com'),
      clientOf('root', 'root@example.com', 'admin'),
    ]);
  });

  after(() => countersign.close());

  afterEach(async () => {
    for (const { subject } of (await admin.listAbsences()).items) await admin.endAbsence({ subject });
  });

  async function asked(workflowId = 'by-mail', starter = viewer): Promise<Approval> {
    const { runId } = await starter.startRun({ body: { workflowId } });
    await countersign.jobs.complete('work');
    return untilApproval(viewer, runId);
  }

  const approve = (client: Client, { approvalId }: Pick<Approval, 'approvalId'>) =>
    client.decideApproval({ approvalId, body: { decision: 'approve' } });
  const refused = (client: Client, approval: Approval): Promise<Problem> => problemOf(approve(client, approval));
  const isMine = async (client: Client, { approvalId }: Approval) => {
    const { items } = await client.listApprovals({ inbox: 'mine', limit: 200 });
    const others = await client.listApprovals({ inbox: 'others', limit: 200 });
    const found = items.some((each) => each.approvalId === approvalId);
    expect(others.items.some((each) => each.approvalId === approvalId)).to.equal(!found);
    return found;
  };

  /** Returns the evidence pack of a run, and the run replayed from it. */
  async function proven(runId: string) {
    const pack = await viewer.getEvidencePack({ runId });
    expect(new Validator(evidencePackJsonSchema as Schema, '2020-12', false).validate(pack).errors).to.deep.equal([]);
    expect(verifyEvidence(JSON.parse(JSON.stringify(pack))).problems).to.deep.equal([]);
    const seq = pack.events.at(-1)?.seq ?? 0;
    expect(await viewer.getRunState({ runId, at: Number(seq) })).to.include({ gap: null });
    return pack;
  }

  it('should return the user names of the caller', async () => {
    expect(await ada.getMe()).to.deep.include({ subject: ADA, userNames: ['Ada@Example.com'] });
    expect(await viewer.getMe()).to.deep.include({ subject: 'vera', userNames: [] });
  });

  it('should match candidates by user name regardless of case, and record subject and user name with the vote', async () => {
    // given
    const approval = await asked();
    expect(await isMine(ada, approval)).to.equal(true);
    expect(await isMine(bob, approval)).to.equal(false);
    expect(await refused(bob, approval)).to.include({ code: 'not_a_candidate' });
    expect(await refused(await clientOf(ADA), approval)).to.include({ code: 'not_a_candidate' });

    // when
    const decided = await approve(ada, approval);

    // then
    expect(decided).to.deep.include({ status: 'approved', resolvedBy: ADA });
    expect(decided.votes[0]).to.deep.include({ by: ADA, byName: 'Ada@Example.com', askedAs: ['ada@example.com'] });
    const pack = await proven(approval.runId);
    expect(pack.approvals[0]?.votes).to.deep.equal(decided.votes);
    expect(pack.events.find(({ type }) => type === 'approval.voted')?.private).to.deep.include({
      actor: { type: 'user', id: ADA, name: 'Ada@Example.com', userName: 'Ada@Example.com' },
      askedAs: ['ada@example.com'],
    });
  });

  it('should exclude the initiator who is a candidate by user name', async () => {
    // given
    const own = await asked('by-mail', ada);

    // then
    expect(await refused(ada, own)).to.include({ code: 'self_approval' });
    expect(await isMine(ada, own)).to.equal(false);
    expect((await ada.getApproval(own)).canDecide).to.deep.equal({ allowed: false, reasons: ['self_approval'] });
  });

  it('should count one vote of a person who is a candidate under two names', async () => {
    // given
    const { runId } = await viewer.startRun({ body: { workflowId: 'by-two' } });
    await countersign.jobs.complete('work');
    const approval = await untilApproval(viewer, runId);
    await admin.reassignApproval({
      approvalId: approval.approvalId,
      body: { candidateUsers: [ADA, 'ada@example.com', 'cem@example.com'] },
    });

    // when
    const once = await approve(ada, approval);

    // then
    expect(once).to.deep.include({ status: 'pending', quorum: { required: 2, approvals: 1 } });
    expect(await refused(ada, approval)).to.include({ code: 'already_voted' });
    expect(await isMine(ada, approval)).to.equal(false);
    expect(await approve(cem, approval)).to.include({ status: 'approved' });
    await proven(runId);
  });

  it('should accept delegations to user names and the vote of the delegate', async () => {
    // given
    const approval = await asked();
    const { approvalId } = approval;
    expect(await problemOf(ada.delegateApproval({ approvalId, body: { to: 'ADA@example.com' } }))).to.include({
      code: 'validation_failed',
    });

    // when
    await ada.delegateApproval({ approvalId, body: { to: 'Bob@example.com' } });
    expect(await isMine(bob, approval)).to.equal(true);
    const decided = await approve(bob, approval);

    // then
    expect(decided.votes[0]).to.deep.include({ by: BOB, inPlaceOf: ADA });
    expect(decided.delegations[0]).to.deep.include({
      from: ADA,
      to: 'Bob@example.com',
      voteId: decided.votes[0]?.voteId,
    });
    const pack = await proven(approval.runId);
    expect(pack.approvals[0]?.delegations).to.deep.equal(decided.delegations);
  });

  it('should let the substitute vote when candidate and substitute are given by user name', async () => {
    // given
    const approval = await asked('by-two');
    await ada.setMyAbsence({ body: { until: isoIn(TOMORROW), substitute: 'BOB@example.com' } });
    expect((await viewer.getApproval(approval)).absences).to.have.length(1);
    expect(await isMine(bob, approval)).to.equal(true);

    // when
    const once = await approve(bob, approval);

    // then
    expect(once.votes[0]).to.deep.include({ by: BOB, inPlaceOf: ADA, askedAs: ['ada@example.com'] });
    expect(await refused(ada, approval)).to.include({ code: 'already_voted' });
    expect(await isMine(ada, approval)).to.equal(false);
    await approve(cem, approval);
    await proven(approval.runId);
  });

  it('should count one vote of candidate or substitute when an administrator sets the absence by user name', async () => {
    // given
    const [first, second] = [await asked('by-two'), await asked('by-two')];
    await admin.setAbsence({ subject: 'ada@example.com', body: { until: isoIn(TOMORROW), substitute: BOB } });

    // when the substitute votes first, and when the candidate votes first
    await approve(bob, first);
    await approve(ada, second);

    // then
    expect(await refused(ada, first)).to.include({ code: 'already_voted' });
    expect(await refused(bob, second)).to.include({ code: 'not_a_candidate' });
    expect(await isMine(ada, first)).to.equal(false);
    expect(await isMine(bob, second)).to.equal(false);
    for (const { runId } of [first, second])
      expect(await viewer.getRunState({ runId, at: 1 })).to.include({ gap: null });
  });

  it('should exclude the substitute of a person who contributed, when the absence is set by user name', async () => {
    // given
    const own = await asked('by-mail', ada);
    const [set, subject] = [{ until: isoIn(TOMORROW), substitute: BOB }, 'ADA@example.com'];
    expect((await admin.setAbsence({ subject, body: set })).subject).to.equal(ADA);

    // then
    expect(await refused(bob, own)).to.include({ code: 'not_a_candidate' });
    expect(await isMine(bob, own)).to.equal(false);

    // and when Ada contributes after Bob has approved in her place
    const approval = await asked('by-two');
    await approve(bob, approval);
    const { runId } = approval;
    const operator = await clientOf(ADA, 'ada@example.com', 'admin');
    await operator.uploadArtifact({ runId, artifactName: 'notes.txt', body: 'x', contentType: 'text/plain' });

    // then
    expect((await viewer.getApproval(approval)).quorum).to.deep.equal({ required: 2, approvals: 0 });
  });

  it('should match candidates by current user names after a user name passed to another person', async () => {
    // given
    const boss = await clientOf('u-dora', 'boss@example.com');
    await countersign.deploy(approvalModel('by-boss', '', asking('candidateUsers="boss@example.com"')));
    await boss.getMe();
    await boss.setMyAbsence({ body: { until: isoIn(TOMORROW), substitute: BOB } });
    const approval = await asked('by-boss');
    expect(await isMine(bob, approval)).to.equal(true);

    // when Dora gets another user name, and another user gets hers
    await (await clientOf('u-dora', 'dora@example.com')).getMe();
    const successor = await clientOf('u-eve', 'boss@example.com');

    // then
    expect(await isMine(bob, approval)).to.equal(false);
    expect(await refused(bob, approval)).to.include({ code: 'not_a_candidate' });
    expect(await approve(successor, approval)).to.include({ status: 'approved' });
  });

  describe('an absence set by user name before the first sign-in', () => {
    const away = { until: isoIn(TOMORROW), substitute: BOB };
    let count = 0;

    /** Returns a user who has never signed in, and an approval that names them and Cem as candidates. */
    async function newcomer() {
      const [id, name] = [`u-finn-${(count += 1)}`, `finn-${count}@example.com`];
      await countersign.deploy(
        approvalModel(`by-finn-${count}`, '', asking(`candidateUsers="${name}, cem@example.com"`, 2)),
      );
      return { id, name, asked: `by-finn-${count}` };
    }

    it('should wait for the first sign-in and then belong to the person', async () => {
      // given
      const { id, name } = await newcomer();

      // when
      const set = await admin.setAbsence({ subject: name.toUpperCase(), body: away });

      // then
      expect(set).to.include({ subject: name.toUpperCase(), awaitsSignIn: true });
      const finn = await clientOf(id, name);
      expect((await finn.getMyAbsence()).absence).to.include({ subject: id, substitute: BOB, awaitsSignIn: false });
      const { items } = await admin.listAuditEvents({ limit: 5 });
      expect(items.find(({ action }) => action === 'absence.bind')).to.include({ actor: 'countersign', result: 'ok' });
      expect(await finn.endMyAbsence()).to.deep.equal({ absence: null });
      expect((await admin.listAbsences()).items).to.have.length(0);
    });

    it('should give the substitute no vote before the sign-in, and one vote shared with the person afterwards', async () => {
      // given
      const { id, name, asked: workflowId } = await newcomer();
      const approval = await asked(workflowId);
      await admin.setAbsence({ subject: name, body: away });
      expect(await refused(bob, approval)).to.include({ code: 'not_a_candidate' });
      expect(await isMine(bob, approval)).to.equal(false);
      expect((await viewer.getApproval(approval)).absences).to.deep.equal([]);

      // when
      const finn = await clientOf(id, name);
      await finn.getMe();
      const once = await approve(bob, approval);

      // then
      expect(once).to.deep.include({ status: 'pending', quorum: { required: 2, approvals: 1 } });
      expect(once.votes[0]).to.deep.include({ by: BOB, inPlaceOf: id });
      expect(await refused(finn, approval)).to.include({ code: 'already_voted' });
      expect(await isMine(finn, approval)).to.equal(false);
    });

    it('should exclude the substitute from approvals of runs that the absent person started', async () => {
      // given
      const { id, name, asked: workflowId } = await newcomer();
      await admin.setAbsence({ subject: name, body: away });

      // when
      const approval = await asked(workflowId, await clientOf(id, name));

      // then
      expect(await refused(bob, approval)).to.include({ code: 'not_a_candidate' });
      expect(await isMine(bob, approval)).to.equal(false);
    });

    it('should be replaced and ended by the user name regardless of case', async () => {
      // given
      const { id, name } = await newcomer();
      await admin.setAbsence({ subject: name.toUpperCase(), body: away });

      // when
      await admin.setAbsence({ subject: name, body: { until: isoIn(TOMORROW), substitute: CEM } });

      // then
      expect((await admin.listAbsences()).items).to.have.length(1);
      await admin.endAbsence({ subject: name.toUpperCase() });
      expect((await admin.listAbsences()).items).to.have.length(0);
      expect(await (await clientOf(id, name)).getMyAbsence()).to.deep.equal({ absence: null });
    });

    it('should be refused when a person would be their own substitute', async () => {
      // given
      const { name } = await newcomer();
      const set = (subject: string, substitute: string) =>
        problemOf(admin.setAbsence({ subject, body: { until: isoIn(TOMORROW), substitute } }));

      // then
      expect(await set(name, name.toUpperCase())).to.include({ code: 'validation_failed' });
      expect(await set(ADA, 'ADA@example.com')).to.include({ code: 'validation_failed' });
    });
  });

  it('should treat a name as ambiguous when it is the subject of one person and the user name of another', async () => {
    // given
    await (await clientOf('ivy')).getMe();
    const [body, other] = [{ until: isoIn(TOMORROW), substitute: BOB }, await clientOf('u-ivy', 'Ivy')];
    await countersign.deploy(approvalModel('by-ivy', '', asking('candidateUsers="ivy"')));
    expect(await admin.setAbsence({ subject: 'ivy', body })).to.include({ subject: 'ivy', awaitsSignIn: false });
    const approval = await asked('by-ivy');
    expect(await isMine(bob, approval)).to.equal(true);

    // when
    expect(await other.getMyAbsence()).to.deep.equal({ absence: null });

    // then
    expect(await isMine(bob, approval)).to.equal(false);
    expect(await refused(bob, approval)).to.include({ code: 'not_a_candidate' });
    expect(await problemOf(admin.setAbsence({ subject: 'ivy', body }))).to.include({ code: 'validation_failed' });
    expect(await (await clientOf('ivy')).endMyAbsence()).to.deep.equal({ absence: null });
  });

  it('should give each person with the same user name one vote, and refuse an absence for that user name', async () => {
    // given
    const [one, two] = [await clientOf('u-1', 'team@example.com'), await clientOf('u-2', 'team@example.com')];
    await countersign.deploy(
      approvalModel('by-team', '', asking('candidateUsers="team@example.com, cem@example.com"', 2)),
    );
    await Promise.all([one.getMe(), two.getMe()]);
    const approval = await asked('by-team');
    const set = admin.setAbsence({ subject: 'team@example.com', body: { until: isoIn(TOMORROW), substitute: BOB } });
    expect(await problemOf(set)).to.include({ code: 'validation_failed' });

    // when
    expect(await approve(one, approval)).to.include({ status: 'pending' });
    expect(await isMine(two, approval)).to.equal(true);

    // then
    expect(await approve(two, approval)).to.include({ status: 'approved' });
  });

  it('should refuse self-appointed substitutes and self-substitution under any user name of the person', async () => {
    // given
    const approval = await asked();
    const set = (client: Client, subject: string, substitute: string) =>
      client.setAbsence({ subject, body: { until: isoIn(TOMORROW), substitute } });

    // then
    expect(await problemOf(set(admin, ADA, 'ROOT@example.com'))).to.include({ code: 'own_substitute' });
    expect(await problemOf(set(admin, 'root', 'root@example.com'))).to.include({ code: 'validation_failed' });
    expect(
      await problemOf(ada.setMyAbsence({ body: { until: isoIn(TOMORROW), substitute: 'ada@EXAMPLE.com' } })),
    ).to.include({ code: 'validation_failed' });

    // when a token without the user name sets the absence, and a token with it votes
    await set(await clientOf('root', undefined, 'admin'), 'ada@example.com', 'root@example.com');

    // then
    expect(await refused(admin, approval)).to.include({ code: 'not_a_candidate' });
    expect(await isMine(admin, approval)).to.equal(false);
  });

  it('should erase the user names of a person with their personal data', async () => {
    // given
    const approval = await asked();
    await ada.delegateApproval({ approvalId: approval.approvalId, body: { to: 'BOB@example.com' } });
    await approve(ada, approval);
    const { runId } = approval;
    const bySubstitute = await asked();
    await ada.setMyAbsence({ body: { until: isoIn(TOMORROW), substitute: 'cem@example.com' } });
    await approve(cem, bySubstitute);
    expect(
      await problemOf(admin.erasePersonalData({ runId, body: { person: 'ROOT@example.com', reason: 'x' } })),
    ).to.include({ code: 'validation_failed' });

    // when
    await admin.erasePersonalData({ runId, body: { person: ADA, reason: 'Request 7' } });
    await admin.erasePersonalData({ runId, body: { person: BOB, reason: 'Request 8' } });
    await admin.erasePersonalData({ runId: bySubstitute.runId, body: { person: ADA, reason: 'Request 7' } });

    // then
    const { votes } = await viewer.getApproval(bySubstitute);
    expect(votes).to.have.length(1);
    expect(votes[0]).to.deep.include({ by: CEM, askedAs: ['[erased]'] });
    const pack = await viewer.getEvidencePack({ runId });
    // The workflow names its candidates in every run.
    const { workflow: _workflow, ...ofRun } = pack;
    expect(JSON.stringify(ofRun)).not.to.match(/(ada|bob)@example\.com/i);
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
