import { Validator, type Schema } from '@cfworker/json-schema';
import {
  createClient,
  buildEvidencePackJsonSchema,
  type Approval,
  type Client,
  type EvidencePack,
  type Problem,
} from '@countersign/contract';
import { StoragePort } from '@countersign/core';
import { approvalModel, createTestHost, isoTimeIn, signInApprovers, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import pg from 'pg';
import { findPackErrors } from './check-pack.spec.support.js';
import { expectProblem, waitForApproval } from './http.spec.support.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const isoFromNow = (ms: number): string => isoTimeIn(ms);
const approvalExtensions = (assignment: string, quorum = 1): string =>
  `<bpmn:extensionElements><zeebe:assignmentDefinition ${assignment} /><zeebe:properties><zeebe:property name="approval.quorum" value="${quorum}" /></zeebe:properties></bpmn:extensionElements>`;

describe('API: out of office', () => {
  let firstServer: TestHost;
  let secondServer: TestHost;
  let viewer: Client;
  let ada: Client;
  let bob: Client;
  let cem: Client;
  let admin: Client;
  let database: pg.Client;

  before(async () => {
    firstServer = await createTestHost({ jobTypes: ['work'] });
    database = new pg.Client({ connectionString: firstServer.database.connectionString });
    await database.connect();
    secondServer = await createTestHost({ shareDataWith: firstServer });
    await firstServer.deploy(approvalModel('by-ada', '', approvalExtensions('candidateUsers="ada"')));
    await firstServer.deploy(approvalModel('by-three', '', approvalExtensions('candidateUsers="ada,cem,dan"', 2)));
    await firstServer.deploy(
      approvalModel('by-leads', '', approvalExtensions('candidateUsers="dan" candidateGroups="leads"')),
    );
    [viewer, ada, bob, cem, admin] = await Promise.all([
      firstServer.client('viewer', 'vera'),
      firstServer.client('approver', 'ada'),
      firstServer.client('approver', 'bob'),
      firstServer.client('approver', 'cem'),
      firstServer.client('admin', 'root'),
    ]);
    await signInApprovers(firstServer, 'ada', 'bob', 'cem', 'dan', 'eve');
  });

  after(async () => {
    await database.end();
    await secondServer.close();
    await firstServer.close();
  });

  afterEach(async () => {
    for (const { subject } of (await admin.listAbsences()).items) await admin.endAbsence({ subject });
  });

  async function createApproval(workflowId = 'by-ada', starter = viewer): Promise<Approval> {
    const { runId } = await starter.startRun({ body: { workflowId } });
    await firstServer.jobs.complete('work');
    return waitForApproval(viewer, runId);
  }

  const approve = (client: Client, { approvalId }: Pick<Approval, 'approvalId'>) =>
    client.decideApproval({ approvalId, body: { decision: 'approve' } });
  const approveAndGetProblem = (client: Client, approval: Approval): Promise<Problem> =>
    expectProblem(approve(client, approval));
  const listOwnInbox = async (client: Client) =>
    (await client.listApprovals({ inbox: 'mine', limit: 200 })).items.map(({ approvalId }) => approvalId);
  const listAuditEvents = async (action: string) =>
    (await admin.listAuditEvents({ limit: 200 })).items.filter((event) => event.action === action);

  it('should let the substitute vote for the absent candidate and record the absence in the approval, the evidence pack and the audit trail', async () => {
    // given
    const approval = await createApproval();
    expect(await approveAndGetProblem(bob, approval)).to.include({ status: 403, code: 'not_a_candidate' });

    // when
    const absence = await ada.setMyAbsence({ body: { until: isoFromNow(DAY_MS), substitute: 'bob' } });
    expect(absence).to.include({ subject: 'ada', substitute: 'bob', setBy: 'ada' });
    const [approvalForSubstitute, approvalForViewer] = await Promise.all([
      bob.getApproval(approval),
      viewer.getApproval(approval),
    ]);
    const decidedApproval = await approve(bob, approval);

    // then
    expect(approvalForSubstitute).to.deep.include({ inPlaceOf: 'ada', canDecide: { allowed: true, reasons: [] } });
    expect(approvalForViewer).to.deep.include({
      inPlaceOf: null,
      absences: [{ subject: 'ada', substitute: 'bob', until: absence.until }],
    });
    expect(decidedApproval).to.deep.include({ status: 'approved', resolvedBy: 'bob' });
    expect(decidedApproval.votes[0]).to.include({ by: 'bob', inPlaceOf: 'ada' });
    expect(decidedApproval.delegations).to.have.length(1);
    expect(decidedApproval.delegations[0]).to.include({
      from: 'ada',
      to: 'bob',
      until: absence.until,
      voteId: decidedApproval.votes[0]?.voteId,
    });

    // and in the evidence pack, by which the run can be replayed
    const pack = (await viewer.getEvidencePack({ runId: approval.runId })) as EvidencePack;
    expect(
      new Validator(buildEvidencePackJsonSchema() as Schema, '2020-12', false).validate(pack).errors,
    ).to.deep.equal([]);
    expect(findPackErrors(pack)).to.deep.equal([]);
    expect(pack.approvals[0]?.votes[0]).to.include({ by: 'bob', inPlaceOf: 'ada' });
    const voteEvent = pack.events.find(({ type }) => type === 'approval.voted');
    expect(voteEvent?.private).to.deep.include({ inPlaceOf: 'ada' });
    expect(await viewer.getRunState({ runId: approval.runId, at: Number(voteEvent?.seq) })).to.include({ gap: null });
    const setEvent = (await listAuditEvents('absence.set')).find(
      ({ target }) => target?.id === decidedApproval.delegations[0]?.absenceId,
    );
    expect(setEvent).to.deep.include({ actor: 'ada', result: 'ok' });
    expect(setEvent?.data).to.include({ subject: 'ada', substitute: 'bob', until: absence.until });
  });

  it('should list the approval for candidate and substitute until the candidate ends the absence', async () => {
    // given
    const approval = await createApproval();
    await ada.setMyAbsence({ body: { until: isoFromNow(DAY_MS), substitute: 'bob' } });
    expect(
      [await listOwnInbox(ada), await listOwnInbox(bob)].map((ids) => ids.includes(approval.approvalId)),
    ).to.deep.equal([true, true]);
    expect((await bob.listApprovals({ inbox: 'mine' })).items[0]).to.include({ inPlaceOf: 'ada' });

    // when
    expect(await ada.endMyAbsence()).to.deep.equal({ absence: null });

    // then
    expect(await listOwnInbox(bob)).to.not.include(approval.approvalId);
    expect(
      (await bob.listApprovals({ inbox: 'others', limit: 200 })).items.map(({ approvalId }) => approvalId),
    ).to.include(approval.approvalId);
    expect(await approveAndGetProblem(bob, approval)).to.include({ code: 'not_a_candidate' });
    expect(await ada.getMyAbsence()).to.deep.equal({ absence: null });
    expect(await approve(ada, approval)).to.include({ status: 'approved' });
  });

  it('should report an absence without a substitute and let only the absent candidate vote', async () => {
    const approval = await createApproval();
    await ada.setMyAbsence({ body: { until: isoFromNow(DAY_MS) } });
    expect((await viewer.getApproval(approval)).absences).to.have.length(1);
    expect(await approveAndGetProblem(bob, approval)).to.include({ code: 'not_a_candidate' });
    expect(await approve(ada, approval)).to.include({ status: 'approved' });
  });

  it('should not let the substitute vote before the absence starts', async () => {
    const approval = await createApproval();
    const absence = await ada.setMyAbsence({
      body: { from: isoFromNow(HOUR_MS), until: isoFromNow(DAY_MS), substitute: 'bob' },
    });
    expect((await ada.getMyAbsence()).absence).to.deep.equal(absence);
    expect((await cem.listAbsences()).items).to.deep.equal([absence]);
    expect((await viewer.getApproval(approval)).absences).to.deep.equal([]);
    expect(await approveAndGetProblem(bob, approval)).to.include({ code: 'not_a_candidate' });
  });

  it('should give a substitute one vote, even for several absent candidates', async () => {
    // given: bob substitutes for two absent candidates, one of whom votes later
    const approval = await createApproval('by-three');
    await ada.setMyAbsence({ body: { until: isoFromNow(DAY_MS), substitute: 'bob' } });
    await cem.setMyAbsence({ body: { until: isoFromNow(DAY_MS), substitute: 'bob' } });

    // when
    expect(await approve(bob, approval)).to.deep.include({ status: 'pending', quorum: { required: 2, approvals: 1 } });

    // then
    expect(await approveAndGetProblem(bob, approval)).to.include({ status: 409, code: 'already_voted' });
    expect(await approveAndGetProblem(ada, approval), 'the candidate for whom bob voted').to.include({
      status: 409,
      code: 'already_voted',
    });
    expect(await listOwnInbox(ada)).to.not.include(approval.approvalId);
    await ada.setMyAbsence({ body: { until: isoFromNow(DAY_MS), substitute: 'eve' } });
    const eve = await firstServer.client('approver', 'eve');
    expect(await approveAndGetProblem(eve, approval), 'a second substitute for the same candidate').to.include({
      code: 'not_a_candidate',
    });
    expect(await approve(cem, approval)).to.include({ status: 'approved' });
  });

  it('should exclude a substitute when the substitute or the absent candidate started the run', async () => {
    await ada.setMyAbsence({ body: { until: isoFromNow(DAY_MS), substitute: 'bob' } });
    expect(await approveAndGetProblem(bob, await createApproval('by-ada', bob))).to.include({ code: 'self_approval' });
    expect(
      await approveAndGetProblem(bob, await createApproval('by-ada', ada)),
      'a starter cannot choose who approves',
    ).to.include({
      code: 'not_a_candidate',
    });
  });

  it('should not give the substitute a candidacy from another substitution, a delegation or a group', async () => {
    // given
    await ada.setMyAbsence({ body: { until: isoFromNow(DAY_MS), substitute: 'bob' } });
    await bob.setMyAbsence({ body: { until: isoFromNow(DAY_MS), substitute: 'cem' } });

    // then: cem substitutes for bob but not for ada, whose substitute is bob; mutual substitutes may vote
    expect(await approveAndGetProblem(cem, await createApproval())).to.include({ code: 'not_a_candidate' });
    await bob.setMyAbsence({ body: { until: isoFromNow(DAY_MS), substitute: 'ada' } });
    expect(await approve(bob, await createApproval()), 'an absent substitute may still vote').to.include({
      status: 'approved',
    });

    const delegatedApproval = await createApproval();
    await ada.delegateApproval({ approvalId: delegatedApproval.approvalId, body: { to: 'dan' } });
    expect(await approveAndGetProblem(bob, delegatedApproval)).to.include({ code: 'not_a_candidate' });
    await admin.setAbsence({ subject: 'dan', body: { until: isoFromNow(DAY_MS), substitute: 'eve' } });
    expect(await approveAndGetProblem(await firstServer.client('approver', 'eve'), delegatedApproval)).to.include({
      code: 'not_a_candidate',
    });
    const leadsApproval = await createApproval('by-leads');
    expect(await approveAndGetProblem(bob, leadsApproval)).to.include({ code: 'not_a_candidate' });
    await admin.reassignApproval({ approvalId: leadsApproval.approvalId, body: { candidateUsers: ['ada'] } });
    expect(
      await approve(bob, leadsApproval),
      'bob substitutes for a candidate who is named in the new round',
    ).to.include({ status: 'approved' });
  });

  it('should refuse the vote of a substitute who lacks the approver role or is a service', async () => {
    const approval = await createApproval();
    const [bobAsViewer, bobAsService] = await Promise.all([
      firstServer.client('viewer', 'bob'),
      createServiceClient('bob'),
    ]);
    await ada.setMyAbsence({ body: { until: isoFromNow(DAY_MS), substitute: 'bob' } });
    expect(await approveAndGetProblem(bobAsViewer, approval)).to.include({ status: 403, code: 'forbidden' });
    expect(await bobAsViewer.getApproval(approval)).to.deep.include({
      inPlaceOf: null,
      canDecide: { allowed: false, reasons: ['forbidden'] },
    });
    expect(await approveAndGetProblem(bobAsService, approval)).to.include({
      status: 403,
      code: 'service_cannot_decide',
    });
  });

  it('should refuse invalid absences and absences of other people', async () => {
    // given
    const saveAndGetErrors = async (body: { from?: string; until: string; substitute?: string }) => {
      const problem = await expectProblem(ada.setMyAbsence({ body }));
      expect(problem).to.include({ status: 422, code: 'validation_failed' });
      return problem.errors?.map(({ pointer }) => pointer);
    };

    // then
    expect(await saveAndGetErrors({ until: isoFromNow(-1) })).to.deep.equal(['/until']);
    expect(await saveAndGetErrors({ until: isoFromNow(367 * DAY_MS) })).to.deep.equal(['/until']);
    expect(await saveAndGetErrors({ from: isoFromNow(-HOUR_MS), until: isoFromNow(HOUR_MS) })).to.deep.equal(['/from']);
    expect(await saveAndGetErrors({ from: isoFromNow(2 * HOUR_MS), until: isoFromNow(HOUR_MS) })).to.deep.equal([
      '/until',
    ]);
    expect(await saveAndGetErrors({ until: isoFromNow(HOUR_MS), substitute: 'ada' })).to.deep.equal(['/substitute']);
    expect(new Set(await saveAndGetErrors({ until: isoFromNow(HOUR_MS), substitute: '' }))).to.deep.equal(
      new Set(['/substitute']),
    );
    expect(await saveAndGetErrors({ until: isoFromNow(HOUR_MS), substitute: 'b\0b' })).to.deep.equal(['/substitute']);
    expect(await saveAndGetErrors({ until: 'Monday' })).to.deep.equal(['/until']);
    const otherAbsence = { until: isoFromNow(HOUR_MS), subject: 'bob' };
    expect(await saveAndGetErrors(otherAbsence)).to.deep.equal(['/subject']);
    const body = { until: isoFromNow(HOUR_MS), substitute: 'vera' };
    for (const client of [viewer, await firstServer.client('operator', 'otto')]) {
      expect(await expectProblem(client.setMyAbsence({ body }))).to.include({ status: 403, code: 'forbidden' });
      expect(await expectProblem(client.listAbsences())).to.include({ status: 403 });
    }
    expect(await expectProblem(bob.setAbsence({ subject: 'ada', body }))).to.include({
      status: 403,
      code: 'forbidden',
    });
    expect(await expectProblem(bob.endAbsence({ subject: 'ada' }))).to.include({ status: 403, code: 'forbidden' });
    expect(await expectProblem((await createServiceClient('ada')).setMyAbsence({ body }))).to.include({
      status: 403,
      code: 'service_cannot_decide',
    });
    expect((await listAuditEvents('absence.set')).find(({ result }) => result === 'refused')?.data).to.include({
      code: 'service_cannot_decide',
    });
    expect((await admin.listAbsences()).items).to.deep.equal([]);
  });

  it('should let administrators set and end absences of other people, and audit both', async () => {
    // given
    const approval = await createApproval();

    // when
    await admin.setAbsence({ subject: 'ada', body: { until: isoFromNow(DAY_MS), substitute: 'bob' } });
    expect((await ada.getMyAbsence()).absence).to.include({ substitute: 'bob', setBy: 'root' });
    expect(await admin.endAbsence({ subject: 'ada' })).to.deep.equal({ absence: null });
    expect(await admin.endAbsence({ subject: 'nobody at all/../é' })).to.deep.equal({ absence: null });

    // then
    expect(await approveAndGetProblem(bob, approval)).to.include({ code: 'not_a_candidate' });
    const [endEvent] = await listAuditEvents('absence.end');
    const [setEvent] = await listAuditEvents('absence.set');
    expect(endEvent).to.deep.include({ actor: 'root', result: 'ok', target: setEvent?.target });
    expect(endEvent?.data).to.include({ subject: 'ada' });
  });

  it("should refuse a substitute's vote when the absence ends on another server before the vote is stored", async () => {
    const [firstStorage, secondClient] = [
      firstServer.host.get(StoragePort),
      await secondServer.client('approver', 'ada'),
    ];
    const commit = firstStorage.commit.bind(firstStorage);
    const endActions: (() => Promise<unknown>)[] = [
      () => secondClient.endMyAbsence(),
      () =>
        secondClient
          .setMyAbsence({ body: { until: isoFromNow(DAY_MS), substitute: 'bob' } })
          .then(() => secondClient.endMyAbsence()),
      // as if the end that was set had come
      () => database.query("UPDATE absences SET ends_at = clock_timestamp() WHERE subject = 'ada'"),
    ];
    try {
      for (const endAbsence of endActions) {
        // given a vote that was accepted and is about to be stored
        const approval = await createApproval();
        await ada.setMyAbsence({ body: { until: isoFromNow(DAY_MS), substitute: 'bob' } });
        let dependentCommits = 0;
        firstStorage.commit = async (writes) => {
          if (writes.some(({ requiredAbsences }) => requiredAbsences.length > 0) && (dependentCommits += 1) === 1)
            await endAbsence();
          return commit(writes);
        };

        // when, then
        expect(await approveAndGetProblem(bob, approval)).to.include({ status: 403, code: 'not_a_candidate' });
        expect(dependentCommits).to.equal(1);
        expect(await viewer.getApproval(approval)).to.deep.include({ status: 'pending', votes: [], delegations: [] });
        expect(
          (await admin.listAuditEvents({ runId: approval.runId })).items.some(
            ({ action, result }) => action === 'approval.vote' && result === 'refused',
          ),
        ).to.equal(true);

        // and a vote that is stored before the absence ends is valid
        await ada.setMyAbsence({ body: { until: isoFromNow(DAY_MS), substitute: 'bob' } });
        firstStorage.commit = async (writes) => {
          const results = await commit(writes);
          if (writes.some(({ requiredAbsences }) => requiredAbsences.length > 0)) await secondClient.endMyAbsence();
          return results;
        };
        expect(await approve(bob, approval)).to.include({ status: 'approved' });
      }
    } finally {
      firstStorage.commit = commit;
    }
  });

  it('should count only one vote when the candidate and the substitute vote concurrently', async () => {
    for (let count = 0; count < 5; count += 1) {
      const approval = await createApproval('by-three');
      await ada.setMyAbsence({ body: { until: isoFromNow(DAY_MS), substitute: 'bob' } });
      const secondServerClient = await secondServer.client('approver', 'ada');
      const results = await Promise.allSettled([approve(bob, approval), approve(secondServerClient, approval)]);
      expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
      expect((await viewer.getApproval(approval)).quorum).to.deep.equal({ required: 2, approvals: 1 });
    }
  });

  it('should reset the change feed of other clients when an absence changes', async () => {
    const watchingClient = await secondServer.client('approver', 'bob');
    let hasReset = false;
    const changeStream = (async () => {
      for await (const message of watchingClient.streamChanges()) if (message.type === 'reset') break;
      hasReset = true;
    })();
    // The client receives only changes after its subscription, so the absence is set again until the first one arrives.
    while (!hasReset) await ada.setMyAbsence({ body: { until: isoFromNow(DAY_MS), substitute: 'bob' } });
    await changeStream;
  });

  async function createServiceClient(subject: string): Promise<Client> {
    return createClient({
      baseUrl: firstServer.url,
      token: await firstServer.token('approver', { subject, kind: 'service' }),
    });
  }
});
