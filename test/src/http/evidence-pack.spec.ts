import type { EvidencePack } from '@countersign/contract';
import { approvalModel, createTestHost, processModel, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { findPackErrors } from './check-pack.spec.support.js';
import { expectProblem, waitForApproval } from './http.spec.support.js';

describe('API: verification of an evidence pack', () => {
  let countersign: TestHost;
  let pack: EvidencePack;

  before(async () => {
    countersign = await createTestHost({ jobTypes: ['work'] });
    await countersign.deploy(approvalModel('simple'));
    const viewer = await countersign.client('viewer', 'vera');
    const inputs = { z: 1e21, a: { 'é': 0.1, '😀': -0, 'a': '\u2028' }, list: [null, true] };
    const { runId } = await viewer.startRun({ body: { workflowId: 'simple', inputs } });
    await (
      await countersign.client('operator')
    ).uploadArtifact({ runId, artifactName: 'notes.txt', body: 'hello', contentType: 'text/plain' });
    await countersign.jobs.complete('work');
    const { approvalId } = await waitForApproval(viewer, runId);
    const veraAsApprover = await countersign.client('approver', 'vera');
    expect(
      await expectProblem(veraAsApprover.decideApproval({ approvalId, body: { decision: 'approve' } })),
    ).to.include({
      code: 'self_approval',
    });
    await (
      await countersign.client('approver', 'bea')
    ).decideApproval({ approvalId, body: { decision: 'approve', comment: 'ja ✓' } });
    pack = await viewer.getEvidencePack({ runId });
  });

  after(() => countersign.close());

  it('should pass the verification that its schema describes', () => {
    expect(findPackErrors(pack)).to.deep.equal([]);
    expect(pack.approvals[0]?.votes).to.have.length(1);
    expect(pack.artifacts).to.have.length(1);
  });

  it('should contain the refused vote with its voter and the reason', () => {
    const [refusal] = pack.refusals;
    expect(refusal).to.deep.include({ action: 'approval.vote', result: 'refused' });
    expect(refusal?.private).to.have.nested.property('actor.id', 'vera');
    expect(refusal?.private).to.have.nested.property('data.code', 'self_approval');
  });

  for (const [kind, isInterrupting] of [
    ['error', true],
    ['escalation', true],
    ['escalation', false],
  ] as const) {
    it(`should list the end event that throws the ${kind} as a step, ${isInterrupting ? 'cancelled by an interrupting' : 'completed despite a non-interrupting'} boundary event`, async () => {
      // given
      const workflowId = `${kind}-${String(isInterrupting)}`;
      const eventDefinition = (attributes: string) => `<bpmn:${kind}EventDefinition ${attributes} />`;
      const model = processModel(
        workflowId,
        `<bpmn:startEvent id="start" /><bpmn:endEvent id="end" /><bpmn:userTask id="ok" name="Look at it" />
         <bpmn:subProcess id="step"><bpmn:startEvent id="begin" /><bpmn:sequenceFlow id="into" sourceRef="begin" targetRef="thrown" />
           <bpmn:endEvent id="thrown" name="Throw the code">${eventDefinition('id="d" ' + `${kind}Ref="e"`)}</bpmn:endEvent></bpmn:subProcess>
         <bpmn:boundaryEvent id="caught" attachedToRef="step" cancelActivity="${String(isInterrupting)}">${eventDefinition('')}</bpmn:boundaryEvent>`,
        'start > step',
        'step > end',
        'caught > ok',
        'ok > end',
      ).replace('<bpmn:process', `<bpmn:${kind} id="e" ${kind}Code="=code" /><bpmn:process`);
      await countersign.deploy(model);
      const viewer = await countersign.client('viewer', 'vera');

      // when
      const { runId } = await viewer.startRun({ body: { workflowId, inputs: { code: '42' } } });
      await waitForApproval(viewer, runId);
      const runPack = await viewer.getEvidencePack({ runId });

      // then
      expect(findPackErrors(runPack)).to.deep.equal([]);
      expect(runPack.steps.find(({ elementId }) => elementId === 'thrown')).to.include({
        name: 'Throw the code',
        type: 'endEvent',
        status: isInterrupting ? 'cancelled' : 'completed',
      });
      expect(await viewer.getRunState({ runId })).to.have.property('gap', null);
    });
  }

  const forgeries: Record<string, (copy: EvidencePack) => void> = {
    'the voter': (copy) => void (copy.approvals[0]!.votes[0]!.by = 'vera'),
    'the comment of a vote': (copy) => void (copy.approvals[0]!.votes[0]!.comment = 'no'),
    'the approved subject': (copy) => void (copy.approvals[0]!.subject.inputs['z'] = 1),
    'the quorum': (copy) => void (copy.approvals[0]!.quorum.required = 2),
    'a policy decision': (copy) =>
      void (copy.steps.find((step) => step.policyDecision !== null)!.policyDecision!.riskLevel = 'critical'),
    'the output of a step': (copy) => void (copy.steps.find((step) => step.elementId === 'work')!.output = { a: 1 }),
    'the BPMN model': (copy) => void (copy.workflow.bpmnXml += ' '),
    'the inputs': (copy) => void (copy.run.inputs['z'] = 1),
    'the outcome': (copy) => void (copy.run.outcome = 'rejected'),
    'an artifact': (copy) => void (copy.artifacts[0]!.sha256 = '0'.repeat(64)),
    'a private part of an event': (copy) => void (copy.events[0]!.private!['businessKey'] = 'x'),
    'the last event and the head of the chain': (copy) => {
      copy.events.length -= 1;
      const { seq, hash } = copy.events.at(-1)!;
      Object.assign(copy, {
        run: { ...copy.run, outcome: null, completedAt: null },
        chain: { ...copy.chain, runHead: { seq, hash } },
      });
    },
    'the last audit event and the head of its chain': (copy) => {
      copy.auditEvents.length -= 1;
      const { seq, hash } = copy.auditEvents.at(-1)!;
      copy.chain.auditHead = { seq, hash };
    },
    'a refusal': (copy) => void (copy.refusals[0]!.result = 'ok'),
  };
  for (const [caseName, forge] of Object.entries(forgeries)) {
    it(`should fail verification after a change of: ${caseName}`, () => {
      const copy = structuredClone(pack);
      forge(copy);
      expect(findPackErrors(copy)).to.not.be.empty;
    });
  }
});
