import {
  buildCountersignatureSigningInput,
  type Approval,
  type Client,
  type CountersignatureStatement,
  type EvidencePack,
} from '@countersign/contract';
import { approvalModel, createTestHost, type TestHost, isoTimeIn, currentTime } from '@countersign/testing';
import { expect } from 'chai';
import pg from 'pg';
import { findPackErrors } from './check-pack.spec.support.js';
import { expectProblem, waitForApproval } from './http.spec.support.js';
import { Device } from './signing.spec.support.js';
import { createClientWithClaims } from './custom-claims.spec.support.js';

const MINUTE_SECONDS = 60;
const REQUIRED_EXTENSIONS =
  '<bpmn:extensionElements><zeebe:properties><zeebe:property name="approval.requireSignature" value="true" /></zeebe:properties></bpmn:extensionElements>';

describe('API: enrolment of signing keys', () => {
  let firstServer: TestHost;
  let secondServer: TestHost;
  let strictServer: TestHost;
  /** Client of Ada, who has just signed in. */
  let ada: Client;
  /** Client of a thief with a stolen token from a sign-in of Ada 11 minutes ago. */
  let thief: Client;
  let admin: Client;
  let viewer: Client;
  let serverId: string;

  const nowSeconds = (): number => Math.floor(currentTime() / 1000);
  const createAdaClient = (claims: object = {}, host = firstServer): Promise<Client> =>
    createClientWithClaims(host, { sub: 'ada', roles: ['approver'], ...claims });

  before(async () => {
    firstServer = await createTestHost({ jobTypes: ['work'] });
    secondServer = await createTestHost({ shareDataWith: firstServer });
    strictServer = await createTestHost({
      shareDataWith: firstServer,
      configuration: { Auth: { SigningKeys: { MaxSignInAge: 'PT2M', AcrValues: ['phr', 'phrh'] } } },
    });
    [ada, thief, admin, viewer] = await Promise.all([
      createAdaClient({ auth_time: nowSeconds() }),
      createAdaClient({ auth_time: nowSeconds() - 11 * MINUTE_SECONDS }),
      firstServer.client('admin', 'root'),
      firstServer.client('viewer', 'vera'),
    ]);
    await firstServer.deploy(approvalModel('signed', '', REQUIRED_EXTENSIONS));
    serverId = (await ada.getSigning()).serverId;
  });

  after(async () => {
    await strictServer.close();
    await secondServer.close();
    await firstServer.close();
  });

  async function createApproval(): Promise<Approval> {
    const { runId } = await viewer.startRun({ body: { workflowId: 'signed' } });
    await firstServer.jobs.complete('work');
    return waitForApproval(viewer, runId);
  }

  const signCountersignature = (
    signer: Device,
    enrolledKeyId: string,
    overrides: Partial<CountersignatureStatement> = {},
  ): string =>
    signer.signBytes(
      buildCountersignatureSigningInput({
        server: serverId,
        subject: 'ada',
        enrolledKeyId,
        keyId: signer.keyId,
        at: isoTimeIn(0),
        ...overrides,
      }),
    );
  const getEnrolment = async (keyId: string): Promise<string | undefined> =>
    (await ada.listMySigningKeys({ limit: 200 })).items.find((key) => key.keyId === keyId)?.enrolment?.method;
  const registerDevice = async (client = thief): Promise<Device> => {
    const device = new Device(serverId);
    await device.register(client, 'ada');
    return device;
  };

  it('should refuse votes with a key that was registered with a stolen token', async () => {
    // given
    const approval = await createApproval();
    const device = new Device(serverId);

    // when
    const key = await device.register(thief, 'ada');
    const problem = await expectProblem(
      thief.decideApproval({
        approvalId: approval.approvalId,
        body: { decision: 'approve', signature: device.signVote(approval, 'approve') },
      }),
    );

    // then
    expect(key).to.include({ enrolment: null });
    expect(problem).to.include({ status: 403, code: 'signing_key_not_enrolled' });
    expect(await viewer.getApproval({ approvalId: approval.approvalId })).to.deep.include({
      status: 'pending',
      votes: [],
    });
    expect(
      await expectProblem(
        ada.decideApproval({
          approvalId: approval.approvalId,
          body: { decision: 'approve', signature: device.signVote(approval, 'approve') },
        }),
      ),
    ).to.include({ code: 'signing_key_not_enrolled' });
  });

  it('should enrol a key only by a fresh sign-in, at registration or later', async () => {
    const newDevice = new Device(serverId);
    expect(await newDevice.register(ada, 'ada')).to.deep.nested.include({
      'enrolment.method': 'sign_in',
      'enrolment.by': null,
    });
    const device = new Device(serverId);
    const signIns = [
      {},
      { auth_time: nowSeconds() + 60 },
      { auth_time: nowSeconds() - 11 * MINUTE_SECONDS },
      { auth_time: String(nowSeconds()) },
      { acr: 'phr' },
    ];
    for (const claims of signIns)
      expect(await device.register(await createAdaClient(claims), 'ada'), JSON.stringify(claims)).to.include({
        enrolment: null,
      });
    expect(await device.register(ada, 'ada')).to.have.nested.property('enrolment.method', 'sign_in');
    // an enrolled key stays enrolled
    expect(await device.register(thief, 'ada')).to.have.nested.property('enrolment.method', 'sign_in');
  });

  it('should require the configured age and authentication context class of the sign-in, and report both', async () => {
    expect((await (await createAdaClient({}, strictServer)).getSigning()).signIn).to.deep.equal({
      maxAgeSeconds: 120,
      acrValues: ['phr', 'phrh'],
    });
    const device = new Device(serverId);
    for (const claims of [
      { auth_time: nowSeconds() },
      { auth_time: nowSeconds(), acr: '1' },
      { auth_time: nowSeconds() - 3 * MINUTE_SECONDS, acr: 'phr' },
    ]) {
      expect(
        await device.register(await createAdaClient(claims, strictServer), 'ada'),
        JSON.stringify(claims),
      ).to.include({
        enrolment: null,
      });
    }
    expect(
      await device.register(await createAdaClient({ auth_time: nowSeconds(), acr: 'phrh' }, strictServer), 'ada'),
    ).to.have.nested.property('enrolment.method', 'sign_in');
  });

  it('should refuse registrations and enrolments by agents and services, however fresh their sign-in', async () => {
    for (const claims of [
      { act: { sub: 'assistant' } },
      { act: { sub: 'a', act: { sub: 'b' } } },
      { typ: 'agent' },
      { typ: 'service' },
      { client_id: 'ada' },
    ]) {
      const client = await createAdaClient({ auth_time: nowSeconds(), ...claims });
      const device = new Device(serverId);
      expect(await expectProblem(device.register(client, 'ada')), JSON.stringify(claims)).to.include({
        status: 403,
        code: 'service_cannot_decide',
      });
      const pendingDevice = await registerDevice();
      const enrolledDevice = await registerDevice(ada);
      expect(
        await expectProblem(
          client.countersignMySigningKey({
            keyId: pendingDevice.keyId,
            body: { countersignature: signCountersignature(enrolledDevice, pendingDevice.keyId) },
          }),
        ),
      ).to.include({ code: 'service_cannot_decide' });
      const robotAdmin = await createClientWithClaims(firstServer, {
        sub: 'robot',
        roles: ['admin'],
        auth_time: nowSeconds(),
        ...claims,
        ...('client_id' in claims ? { client_id: 'robot' } : {}),
      });
      expect(await expectProblem(robotAdmin.approveSigningKey({ keyId: pendingDevice.keyId }))).to.include({
        code: 'service_cannot_decide',
      });
      expect(await getEnrolment(pendingDevice.keyId)).to.equal(undefined);
      await Promise.all([pendingDevice, enrolledDevice].map(({ keyId }) => admin.revokeSigningKey({ keyId })));
    }
  });

  it('should enrol a key by a countersignature with another enrolled key of the person, on any server', async () => {
    // given
    const [enrolledDevice, device, approval] = [
      await registerDevice(ada),
      await registerDevice(),
      await createApproval(),
    ];
    const secondServerClient = await createAdaClient({}, secondServer);

    // when
    const key = await secondServerClient.countersignMySigningKey({
      keyId: device.keyId,
      body: { countersignature: signCountersignature(enrolledDevice, device.keyId) },
    });

    // then
    expect(key.enrolment).to.deep.include({ method: 'countersignature', by: enrolledDevice.keyId });
    await ada.decideApproval({
      approvalId: approval.approvalId,
      body: { decision: 'approve', signature: device.signVote(approval, 'approve') },
    });
    const pack: EvidencePack = await viewer.getEvidencePack({ runId: approval.runId });
    expect(pack.signingKeys[0]?.countersignature?.split('.')).to.have.length(3);
    expect(findPackErrors(pack)).to.deep.equal([]);
    await Promise.all([enrolledDevice, device].map(({ keyId }) => admin.revokeSigningKey({ keyId })));
  });

  it('should refuse a countersignature unless it is recent, is for this key and server, and is signed with another enrolled key of the person', async () => {
    // given
    const [enrolledDevice, revokedDevice, pendingDevice, device, otherDevice] = [
      await registerDevice(ada),
      await registerDevice(ada),
      await registerDevice(),
      await registerDevice(),
      await registerDevice(),
    ];
    await ada.revokeMySigningKey({ keyId: revokedDevice.keyId });
    const beaDevice = new Device(serverId);
    await beaDevice.register(await firstServer.client('approver', 'bea'), 'bea');
    const countersignAndGetProblem = (signed: string) =>
      expectProblem(thief.countersignMySigningKey({ keyId: device.keyId, body: { countersignature: signed } }));

    // then
    expect(await countersignAndGetProblem(signCountersignature(revokedDevice, device.keyId))).to.include({
      status: 403,
      code: 'signing_key_revoked',
    });
    expect(await countersignAndGetProblem(signCountersignature(pendingDevice, device.keyId))).to.include({
      status: 403,
      code: 'signing_key_not_enrolled',
    });
    expect(await countersignAndGetProblem(signCountersignature(device, device.keyId)), 'by the key itself').to.include({
      code: 'signing_key_not_enrolled',
    });
    expect(await countersignAndGetProblem(signCountersignature(beaDevice, device.keyId))).to.include({
      status: 403,
      code: 'signing_key_unknown',
    });
    expect(await countersignAndGetProblem(signCountersignature(new Device(serverId), device.keyId))).to.include({
      code: 'signing_key_unknown',
    });
    for (const signed of [
      signCountersignature(enrolledDevice, otherDevice.keyId),
      signCountersignature(enrolledDevice, device.keyId, { subject: 'bea' }),
      signCountersignature(enrolledDevice, device.keyId, { server: device.keyId }),
      signCountersignature(beaDevice, device.keyId, { keyId: enrolledDevice.keyId }),
      enrolledDevice.createKeyProof('ada'),
      enrolledDevice.signVote(await createApproval(), 'approve'),
    ])
      expect(await countersignAndGetProblem(signed)).to.include({ status: 422, code: 'signature_invalid' });
    expect(
      await countersignAndGetProblem(signCountersignature(enrolledDevice, device.keyId, { at: isoTimeIn(-660_000) })),
    ).to.include({
      code: 'signature_expired',
    });
    expect(
      await expectProblem(
        thief.countersignMySigningKey({
          keyId: beaDevice.keyId,
          body: { countersignature: signCountersignature(enrolledDevice, beaDevice.keyId) },
        }),
      ),
    ).to.include({ status: 404, code: 'signing_key_not_found' });
    expect(await getEnrolment(device.keyId)).to.equal(undefined);
    await Promise.all(
      [enrolledDevice, pendingDevice, device, otherDevice].map(({ keyId }) => admin.revokeSigningKey({ keyId })),
    );
  });

  it('should let an admin enrol only keys of other people', async () => {
    const device = await registerDevice();
    expect(await expectProblem(thief.approveSigningKey({ keyId: device.keyId }))).to.include({
      status: 403,
      code: 'forbidden',
    });
    const adaAsAdmin = await createAdaClient({ roles: ['admin'], auth_time: nowSeconds() });
    expect(await expectProblem(adaAsAdmin.approveSigningKey({ keyId: device.keyId }))).to.include({
      status: 403,
      code: 'signing_key_own',
    });
    expect(await expectProblem(admin.approveSigningKey({ keyId: new Device(serverId).keyId }))).to.include({
      status: 404,
    });
    expect((await admin.approveSigningKey({ keyId: device.keyId })).enrolment).to.deep.include({
      method: 'admin',
      by: 'root',
    });
  });

  it('should not enrol a revoked key by any method', async () => {
    const [device, enrolledDevice] = [await registerDevice(), await registerDevice(ada)];
    await ada.revokeMySigningKey({ keyId: device.keyId });
    expect(await expectProblem(device.register(ada, 'ada'))).to.include({ code: 'signing_key_revoked' });
    expect(await expectProblem(admin.approveSigningKey({ keyId: device.keyId }))).to.include({
      code: 'signing_key_revoked',
    });
    expect(
      await expectProblem(
        ada.countersignMySigningKey({
          keyId: device.keyId,
          body: { countersignature: signCountersignature(enrolledDevice, device.keyId) },
        }),
      ),
    ).to.include({ code: 'signing_key_revoked' });
  });

  it('should audit registration, refused enrolment, and enrolment with its method', async () => {
    const device = await registerDevice();
    await expectProblem((await createAdaClient({ roles: ['admin'] })).approveSigningKey({ keyId: device.keyId }));
    await admin.approveSigningKey({ keyId: device.keyId });
    const { items } = await admin.listAuditEvents({ limit: 200 });
    const keyEvents = items
      .filter(({ target }) => target?.id === device.keyId)
      .map(({ action, result, actor, data }) => [action, result, actor, data['enrolment'] ?? data['code']]);
    expect(keyEvents).to.deep.equal([
      ['signing_key.enrol', 'ok', 'root', 'admin'],
      ['signing_key.enrol', 'refused', 'ada', 'signing_key_own'],
      ['signing_key.register', 'ok', 'ada', undefined],
    ]);
  });

  it('should accept keys from before enrolment was introduced', async () => {
    // given: a key as an older server stored it
    const device = await registerDevice();
    const database = new pg.Client({ connectionString: firstServer.database.connectionString });
    await database.connect();
    await database.query("UPDATE signing_keys SET enrolled_by_method = 'unproven' WHERE key_id = $1", [device.keyId]);
    await database.end();
    const approval = await createApproval();

    // then
    const { enrolment, createdAt } =
      (await ada.listMySigningKeys({ limit: 200 })).items.find(({ keyId }) => keyId === device.keyId) ?? {};
    expect(enrolment).to.deep.equal({ method: 'unproven', by: null, at: createdAt });
    expect(
      await ada.decideApproval({
        approvalId: approval.approvalId,
        body: { decision: 'approve', signature: device.signVote(approval, 'approve') },
      }),
    ).to.include({ status: 'approved' });
  });
});
