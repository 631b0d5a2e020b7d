import { Validator, type Schema } from '@cfworker/json-schema';
import {
  buildEvidencePackJsonSchema,
  buildKeySigningInput,
  type Approval,
  type Client,
  type EvidencePack,
  type KeyStatement,
  type Problem,
} from '@countersign/contract';
import { approvalModel, createTestHost, isoTimeIn, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { findPackErrors } from './check-pack.spec.support.js';
import { expectProblem, waitForApproval } from './http.spec.support.js';
import { Device } from './signing.spec.support.js';

const propertiesXml = (values: Record<string, string>): string =>
  `<bpmn:extensionElements><zeebe:properties>${Object.entries(values)
    .map(([name, value]) => `<zeebe:property name="${name}" value="${value}" />`)
    .join('')}</zeebe:properties></bpmn:extensionElements>`;

describe('API: signed votes', () => {
  let firstServer: TestHost;
  let secondServer: TestHost;
  let viewer: Client;
  let ada: Client;
  let bea: Client;
  let admin: Client;
  let device: Device;
  let beaDevice: Device;

  before(async () => {
    firstServer = await createTestHost({ jobTypes: ['work'] });
    secondServer = await createTestHost({ shareDataWith: firstServer });
    [viewer, ada, bea, admin] = await Promise.all([
      firstServer.client('viewer', 'vera'),
      firstServer.client('approver', 'ada'),
      firstServer.client('approver', 'bea'),
      firstServer.client('admin', 'root'),
    ]);
    await firstServer.deploy(approvalModel('free'));
    await firstServer.deploy(approvalModel('signed', '', propertiesXml({ 'approval.requireSignature': 'true' })));
    await firstServer.deploy(
      approvalModel('by-two', '', propertiesXml({ 'approval.requireSignature': 'true', 'approval.quorum': '2' })),
    );
    [device, beaDevice] = await Promise.all([Device.forServer(ada), Device.forServer(bea)]);
    await Promise.all([device.register(ada, 'ada'), beaDevice.register(bea, 'bea')]);
  });

  after(async () => {
    await secondServer.close();
    await firstServer.close();
  });

  async function createApproval(workflowId = 'signed'): Promise<Approval> {
    const { runId } = await viewer.startRun({ body: { workflowId } });
    await firstServer.jobs.complete('work');
    return waitForApproval(viewer, runId);
  }

  const decideAndGetProblem = async (
    approval: Approval,
    signature: string | undefined,
    body: { comment?: string; decision?: 'approve' | 'reject' } = {},
    client = ada,
  ): Promise<Problem> => {
    const problem = await expectProblem(
      client.decideApproval({
        approvalId: approval.approvalId,
        body: { decision: 'approve', ...body, ...(signature === undefined ? {} : { signature }) },
      }),
    );
    expect(await viewer.getApproval({ approvalId: approval.approvalId })).to.deep.include({
      status: 'pending',
      votes: [],
    });
    return problem;
  };

  it('should count a signed vote and store its signature and key', async () => {
    // given
    const approval = await createApproval();
    expect(approval).to.include({ signatureRequired: true });
    const signature = device.signVote(approval, 'approve', 'Gut ✓');

    // when
    const decidedApproval = await ada.decideApproval({
      approvalId: approval.approvalId,
      body: { decision: 'approve', comment: 'Gut ✓', signature },
    });

    // then
    expect(decidedApproval).to.deep.include({ status: 'approved', resolvedBy: 'ada' });
    expect(decidedApproval.votes[0]).to.deep.include({ by: 'ada', signature, keyId: device.keyId });
    expect((await ada.listMySigningKeys()).items.find(({ keyId }) => keyId === device.keyId)).to.deep.include({
      name: 'Laptop',
      revokedAt: null,
      lastUsedAt: decidedApproval.votes[0]?.at,
    });
    const { items } = await admin.listAuditEvents({ runId: approval.runId });
    expect(items.find(({ action }) => action === 'approval.vote')?.data).to.include({ keyId: device.keyId });
  });

  it('should refuse a vote without a signature only if the workflow requires a signature', async () => {
    const approval = await createApproval();
    expect(await decideAndGetProblem(approval, undefined)).to.include({ status: 422, code: 'signature_required' });
    expect(await decideAndGetProblem(approval, undefined, { decision: 'reject' })).to.include({
      code: 'signature_required',
    });
    const freeApproval = await createApproval('free');
    expect(freeApproval).to.include({ signatureRequired: false });
    expect(
      (await ada.decideApproval({ approvalId: freeApproval.approvalId, body: { decision: 'approve' } })).votes[0],
    ).to.include({ signature: null, keyId: null });
  });

  it('should accept an optional signature, and refuse the vote if the signature is invalid', async () => {
    const freeApproval = await createApproval('free');
    expect(await decideAndGetProblem(freeApproval, device.signVote(freeApproval, 'reject'))).to.include({
      code: 'signature_invalid',
    });
    expect(
      (
        await ada.decideApproval({
          approvalId: freeApproval.approvalId,
          body: { decision: 'approve', signature: device.signVote(freeApproval, 'approve') },
        })
      ).status,
    ).to.equal('approved');
  });

  describe('forged votes', () => {
    let approval: Approval;
    let otherApproval: Approval;

    before(async () => {
      approval = await createApproval();
      otherApproval = await createApproval();
    });

    const wrongStatements: Record<string, () => string> = {
      server: () => device.signVote(approval, 'approve', undefined, { server: '01890a5d-ac96-774b-bcce-b302099a8057' }),
      runId: () => device.signVote(approval, 'approve', undefined, { runId: otherApproval.runId }),
      approvalId: () => device.signVote(approval, 'approve', undefined, { approvalId: otherApproval.approvalId }),
      round: () => device.signVote(approval, 'approve', undefined, { round: 2 }),
      decision: () => device.signVote(approval, 'reject'),
      commentDigest: () => device.signVote(approval, 'approve', 'Fine.'),
      subjectDigest: () =>
        device.signVote(approval, 'approve', undefined, { subjectDigest: `sha256:${'0'.repeat(64)}` }),
      at: () => device.signVote(approval, 'approve', undefined, { at: '2026-11-22' }),
      more: () => device.signVote(approval, 'approve', undefined, { more: 'x' } as object),
    };
    for (const [name, forge] of Object.entries(wrongStatements)) {
      it(`should refuse a signed statement with a wrong ${name}`, async () => {
        const problem = await decideAndGetProblem(approval, forge());
        expect(problem).to.include({ status: 422, code: 'signature_invalid' });
        expect(problem.errors?.map(({ message }) => /"(\w+)"/.exec(message)?.[1])).to.deep.equal([name]);
      });
    }

    it('should refuse a comment that was not signed', async () => {
      expect(
        await decideAndGetProblem(approval, device.signVote(approval, 'approve'), { comment: 'Fine.' }),
      ).to.include({
        code: 'signature_invalid',
      });
    });

    it('should refuse the signature of another vote', async () => {
      expect(await decideAndGetProblem(approval, device.signVote(otherApproval, 'approve'))).to.include({
        code: 'signature_invalid',
      });
    });

    it('should refuse a signature that the key did not create', async () => {
      const [header, payload, signature = ''] = device.signVote(approval, 'approve').split('.');
      const unregisteredDevice = new Device(device.serverId);
      const [, , foreign] = unregisteredDevice
        .signVote(approval, 'approve', undefined, { keyId: device.keyId })
        .split('.');
      const tamperedSignature = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
      for (const forgedSignature of [`${header}.${payload}.${foreign}`, `${header}.${payload}.${tamperedSignature}`]) {
        expect(await decideAndGetProblem(approval, forgedSignature)).to.include({
          status: 422,
          code: 'signature_invalid',
        });
      }
    });

    it('should refuse a signature created for another purpose', async () => {
      const vote: object = device.buildVoteStatement(approval, 'approve');
      expect(
        await decideAndGetProblem(approval, device.signBytes(buildKeySigningInput(vote as KeyStatement))),
      ).to.include({
        code: 'signature_invalid',
      });
      expect(await decideAndGetProblem(approval, device.createKeyProof('ada'))).to.include({
        code: 'signature_invalid',
      });
    });

    it('should refuse malformed signatures', async () => {
      expect(await decideAndGetProblem(approval, 'no')).to.include({ status: 422, code: 'validation_failed' });
      for (const malformedSignature of [
        'e30.e30.AA',
        `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.${'A'.repeat(86)}`,
        `a.b.${'A'.repeat(86)}`,
      ]) {
        expect(await decideAndGetProblem(approval, malformedSignature)).to.include({
          status: 422,
          code: 'signature_invalid',
        });
      }
    });

    it('should refuse the key of another person with the same error as an unknown key', async () => {
      const unknown = await decideAndGetProblem(approval, new Device(device.serverId).signVote(approval, 'approve'));
      expect(unknown).to.include({ status: 403, code: 'signing_key_unknown' });
      const foreign = await decideAndGetProblem(approval, beaDevice.signVote(approval, 'approve'));
      expect(foreign).to.include({ status: 403, code: 'signing_key_unknown', detail: unknown.detail });
    });

    it('should refuse signatures dated too far in the past or future', async () => {
      for (const minutes of [-11, 11]) {
        const at = isoTimeIn(minutes * 60_000);
        expect(await decideAndGetProblem(approval, device.signVote(approval, 'approve', undefined, { at }))).to.include(
          {
            status: 422,
            code: 'signature_expired',
          },
        );
      }
    });

    it('should audit each refused vote', async () => {
      const { items } = await admin.listAuditEvents({ runId: approval.runId, limit: 200 });
      const codes = items.filter(({ result }) => result === 'refused').map(({ data }) => data['code']);
      expect(new Set(codes)).to.deep.equal(new Set(['signature_invalid', 'signing_key_unknown', 'signature_expired']));
    });

    it('should still count a valid vote after the forged votes', async () => {
      expect(
        await ada.decideApproval({
          approvalId: approval.approvalId,
          body: { decision: 'approve', signature: device.signVote(approval, 'approve') },
        }),
      ).to.include({ status: 'approved' });
    });
  });

  it('should require a signature of each person in the quorum', async () => {
    const approval = await createApproval('by-two');
    const first = await ada.decideApproval({
      approvalId: approval.approvalId,
      body: { decision: 'approve', signature: device.signVote(approval, 'approve') },
    });
    expect(first).to.deep.include({ status: 'pending', quorum: { required: 2, approvals: 1 } });
    expect(
      await expectProblem(bea.decideApproval({ approvalId: approval.approvalId, body: { decision: 'approve' } })),
    ).to.include({ code: 'signature_required' });
    expect(
      await expectProblem(
        bea.decideApproval({
          approvalId: approval.approvalId,
          body: { decision: 'approve', signature: String(first.votes[0]?.signature) },
        }),
      ),
    ).to.include({ code: 'signing_key_unknown' });
    const second = await bea.decideApproval({
      approvalId: approval.approvalId,
      body: { decision: 'approve', signature: beaDevice.signVote(approval, 'approve') },
    });
    expect(second).to.include({ status: 'approved' });
    expect(second.votes.map(({ keyId }) => keyId)).to.deep.equal([device.keyId, beaDevice.keyId]);
  });

  it('should check the signature of each vote in a bulk decision', async () => {
    const [first, second, third] = [await createApproval(), await createApproval(), await createApproval()] as const;
    const decision = (approval: Approval, signature?: string) => ({
      approvalId: approval.approvalId,
      decision: 'approve' as const,
      expectedDigest: approval.digest,
      ...(signature === undefined ? {} : { signature }),
    });
    const { results } = await ada.decideApprovals({
      body: {
        decisions: [
          decision(first, device.signVote(first, 'approve')),
          decision(second, device.signVote(first, 'approve')),
          decision(third),
        ],
      },
    });
    expect(results.map(({ ok, problem }) => [ok, problem?.code])).to.deep.equal([
      [true, undefined],
      [false, 'signature_invalid'],
      [false, 'signature_required'],
    ]);
  });

  describe('evidence of signed votes', () => {
    let pack: EvidencePack;

    before(async () => {
      const { approvalId, runId, ...rest } = await createApproval('by-two');
      const approval = { approvalId, runId, ...rest };
      const [temporaryDevice, comment] = [new Device(device.serverId), 'Ja ✓'];
      await temporaryDevice.register(ada, 'ada');
      await ada.decideApproval({
        approvalId,
        body: { decision: 'approve', comment, signature: temporaryDevice.signVote(approval, 'approve', comment) },
      });
      await ada.revokeMySigningKey({ keyId: temporaryDevice.keyId });
      await bea.decideApproval({
        approvalId,
        body: { decision: 'approve', signature: beaDevice.signVote(approval, 'approve') },
      });
      pack = await viewer.getEvidencePack({ runId });
    });

    it('should match the schema and pass the verification that the schema describes', () => {
      expect(findPackErrors(pack)).to.deep.equal([]);
      const { valid, errors } = new Validator(buildEvidencePackJsonSchema() as Schema, '2020-12').validate(pack);
      expect(valid, JSON.stringify(errors.at(-1))).to.equal(true);
      expect(pack.signingKeys.map(({ subject, revokedAt }) => [subject, revokedAt !== null]).sort()).to.deep.equal([
        ['ada', true],
        ['bea', false],
      ]);
    });

    it('should contain the signature in the private part of the event, which can be erased', () => {
      const voteEvent = pack.events.find(({ type }) => type === 'approval.voted');
      expect(voteEvent?.data).to.include({ signed: true }).and.not.have.property('signature');
      expect(voteEvent?.private).to.have.nested.property('signature.keyId');
    });

    const votes = (copy: EvidencePack): EvidencePack['approvals'][number]['votes'] => copy.approvals[0]!.votes;
    const forgeries: Record<string, (copy: EvidencePack) => void> = {
      'a vote': (copy) => Object.assign(votes(copy)[0]!, { decision: 'reject' }),
      'a signature to that of another vote': (copy) =>
        Object.assign(votes(copy)[0]!, { signature: votes(copy)[1]!.signature }),
      'a signed vote to an unsigned one': (copy) => Object.assign(votes(copy)[0]!, { signature: null, keyId: null }),
      'the owner of a key': (copy) => Object.assign(copy.signingKeys[0]!, { subject: 'eve' }),
      'a key': (copy) => Object.assign(copy.signingKeys[0]!.publicKey, { x: new Device(device.serverId).publicKey.x }),
      'the time at which a key was revoked': (copy) =>
        Object.assign(
          copy.signingKeys.find(({ revokedAt }) => revokedAt !== null)!,
          { revokedAt: '2020-01-01T00:00:00.000Z' },
        ),
      'the server': (copy) => Object.assign(copy.server, { serverId: copy.run.runId }),
      'whether signatures are required': (copy) => Object.assign(copy.approvals[0]!, { signatureRequired: false }),
    };
    for (const [caseName, forge] of Object.entries(forgeries)) {
      it(`should fail verification after an attacker changed ${caseName}`, () => {
        const copy = structuredClone(pack);
        forge(copy);
        expect(findPackErrors(copy)).to.not.be.empty;
      });
    }
  });

  describe('signing keys', () => {
    it('should be refused at registration without a valid, recent proof signed with the key for this person and server', async () => {
      const newDevice = new Device(device.serverId);
      const unregisteredDevice = new Device(device.serverId);
      const body = { publicKey: newDevice.publicKey, name: 'Phone' };
      const registerAndGetProblem = (proof: string): Promise<Problem> =>
        expectProblem(ada.registerSigningKey({ body: { ...body, proof } }));
      expect(await registerAndGetProblem(unregisteredDevice.createKeyProof('ada'))).to.include({
        status: 422,
        code: 'signature_invalid',
      });
      expect(
        await registerAndGetProblem(unregisteredDevice.createKeyProof('ada', { keyId: newDevice.keyId })),
      ).to.include({
        code: 'signature_invalid',
      });
      expect(await registerAndGetProblem(newDevice.createKeyProof('bea'))).to.include({ code: 'signature_invalid' });
      expect(await registerAndGetProblem(newDevice.createKeyProof('ada', { server: newDevice.keyId }))).to.include({
        code: 'signature_invalid',
      });
      expect(await registerAndGetProblem(newDevice.createKeyProof('ada', { at: isoTimeIn(-660_000) }))).to.include({
        code: 'signature_expired',
      });
      const publicKeyWithPrivatePart = { ...newDevice.publicKey, d: 'A'.repeat(43) };
      expect(
        await expectProblem(
          ada.registerSigningKey({
            body: { ...body, publicKey: publicKeyWithPrivatePart, proof: newDevice.createKeyProof('ada') },
          }),
        ),
      ).to.include({ code: 'validation_failed' });
      const invalidPublicKey = { ...newDevice.publicKey, x: Buffer.alloc(32).toString('base64url') };
      expect(
        await expectProblem(
          ada.registerSigningKey({
            body: { ...body, publicKey: invalidPublicKey, proof: newDevice.createKeyProof('ada') },
          }),
        ),
      ).to.include({ code: 'validation_failed' });
      expect((await ada.listMySigningKeys()).items.map(({ keyId }) => keyId)).to.not.include(newDevice.keyId);
    });

    it('should be accepted only from approvers, each key for one person', async () => {
      const newDevice = new Device(device.serverId);
      expect(await expectProblem(newDevice.register(viewer, 'vera'))).to.include({ status: 403, code: 'forbidden' });
      await newDevice.register(ada, 'ada');
      expect(await newDevice.register(ada, 'ada'), 'a repeat').to.include({ keyId: newDevice.keyId });
      expect(await expectProblem(newDevice.register(bea, 'bea'))).to.include({
        status: 409,
        code: 'signing_key_taken',
      });
      expect(await expectProblem(bea.revokeMySigningKey({ keyId: newDevice.keyId }))).to.include({
        status: 404,
        code: 'signing_key_not_found',
      });
      expect(await expectProblem(ada.listSigningKeys({ subject: 'bea' }))).to.include({ status: 403 });
      expect(await expectProblem(ada.revokeSigningKey({ keyId: beaDevice.keyId }))).to.include({ status: 403 });
      expect((await admin.listSigningKeys({ subject: 'ada' })).items.map(({ keyId }) => keyId))
        .to.include(newDevice.keyId)
        .and.not.include(beaDevice.keyId);
    });

    it('should be limited to 20 per person, not counting revoked keys', async () => {
      const cem = await firstServer.client('approver', 'cem');
      for (let count = 0; count < 20; count += 1) await new Device(device.serverId).register(cem, 'cem');
      expect(await expectProblem(new Device(device.serverId).register(cem, 'cem'))).to.include({
        status: 409,
        code: 'too_many_signing_keys',
      });
      const page = await cem.listMySigningKeys({ limit: 15 });
      const rest = await cem.listMySigningKeys({ limit: 15, cursor: String(page.nextCursor) });
      expect(new Set([...page.items, ...rest.items].map(({ keyId }) => keyId)).size).to.equal(20);
      await cem.revokeMySigningKey({ keyId: String(page.items[0]?.keyId) });
      await new Device(device.serverId).register(cem, 'cem');
    });

    it('should be refused permanently on every server once revoked by their owner or an admin', async () => {
      // given
      const [approval, lostDevice, formerDevice] = [
        await createApproval(),
        new Device(device.serverId),
        new Device(device.serverId),
      ];
      await Promise.all([lostDevice.register(ada, 'ada'), formerDevice.register(ada, 'ada')]);
      const secondServerClient = await secondServer.client('approver', 'ada');

      // when
      const revokedByOwner = await ada.revokeMySigningKey({ keyId: lostDevice.keyId });
      const revokedByAdmin = await admin.revokeSigningKey({ keyId: formerDevice.keyId });

      // then
      expect([revokedByOwner.revokedBy, revokedByAdmin.revokedBy]).to.deep.equal(['ada', 'root']);
      for (const each of [lostDevice, formerDevice]) {
        expect(
          await decideAndGetProblem(approval, each.signVote(approval, 'approve'), {}, secondServerClient),
        ).to.include({
          status: 403,
          code: 'signing_key_revoked',
        });
        expect(await expectProblem(each.register(ada, 'ada'))).to.include({ status: 403, code: 'signing_key_revoked' });
      }
      expect(await admin.revokeSigningKey({ keyId: lostDevice.keyId }), 'again').to.deep.equal(revokedByOwner);
      const { items } = await admin.listAuditEvents({ limit: 200 });
      const keyEvents = items
        .filter(({ target }) => target?.id === lostDevice.keyId)
        .map(({ action, result, actor }) => [action, result, actor]);
      expect(keyEvents).to.deep.equal([
        ['signing_key.register', 'refused', 'ada'],
        ['signing_key.revoke', 'ok', 'ada'],
        ['signing_key.register', 'ok', 'ada'],
      ]);
    });

    it('should return the first response to a repeated vote even after the key was revoked', async () => {
      const [approval, newDevice] = [await createApproval(), new Device(device.serverId)];
      await newDevice.register(ada, 'ada');
      const request = {
        approvalId: approval.approvalId,
        body: { decision: 'approve' as const, signature: newDevice.signVote(approval, 'approve') },
      };
      const first = await ada.decideApproval(request, { idempotencyKey: 'vote-once' });
      await ada.revokeMySigningKey({ keyId: newDevice.keyId });
      expect(await ada.decideApproval(request, { idempotencyKey: 'vote-once' })).to.deep.equal(first);
    });

    it('should count a vote on one server only if the key is not yet revoked on the other', async () => {
      const secondServerClient = await secondServer.client('approver', 'ada');
      for (let count = 0; count < 8; count += 1) {
        // given
        const [approval, newDevice] = [await createApproval(), new Device(device.serverId)];
        await newDevice.register(ada, 'ada');
        const signature = newDevice.signVote(approval, 'approve');

        const approveAtSecondServer = () =>
          secondServerClient
            .decideApproval({ approvalId: approval.approvalId, body: { decision: 'approve', signature } })
            .catch((error: unknown) => error as { problem: Problem });
        const revokeKey = () => ada.revokeMySigningKey({ keyId: newDevice.keyId });

        // when: the vote and the revocation are sent concurrently, in alternating order
        const requests =
          count % 2 === 0
            ? { vote: approveAtSecondServer(), revoked: revokeKey() }
            : { revoked: revokeKey(), vote: approveAtSecondServer() };
        const [vote, revoked] = [await requests.vote, await requests.revoked];

        // then
        expect(revoked.revokedAt).to.be.a('string');
        const [key] = (await ada.listMySigningKeys()).items.filter(({ keyId }) => keyId === newDevice.keyId);
        if ('problem' in vote) {
          expect(vote.problem).to.include({ code: 'signing_key_revoked' });
          expect(key?.lastUsedAt).to.equal(null);
        } else expect(key?.lastUsedAt).to.equal(vote.votes[0]?.at);
      }
    });
  });
});
