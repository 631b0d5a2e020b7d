import type { Approval, Client } from '@countersign/contract';
import { processModel, serviceTask, type TestHost } from '@countersign/testing';
import type { ScriptedAgents } from '../http/scripted-agents.spec.support.js';
import { agentModel } from '../http/scripted-agents.spec.support.js';
import { waitForApproval } from '../http/http.spec.support.js';
import { addDiagram } from './draw-model.spec.support.js';

/** Jobs that the host completes manually: `createTestHost({ jobTypes: APPROVAL_JOBS })`. */
export const APPROVAL_JOBS: readonly string[] = Object.freeze(['draft']);

interface ApprovalModelOptions {
  /** `zeebe:property` names and values. */
  readonly properties?: Readonly<Record<string, string>>;
  readonly assignment?: string;
  readonly dueDate?: string;
  readonly title?: string;
  readonly inputs?: Readonly<Record<string, string>>;
}

/** Returns a workflow with a draft job, its approval and the step after the approval. */
function approvalModel(
  id: string,
  { properties = {}, assignment = '', dueDate, title = 'Approve the release', inputs = {} }: ApprovalModelOptions = {},
): string {
  const propertyElements = Object.entries(properties)
    .map(([name, value]) => `<zeebe:property name="${name}" value="${value}" />`)
    .join('');
  const inputMappings = Object.entries(inputs)
    .map(([target, source]) => `<zeebe:input source="${source}" target="${target}" />`)
    .join('');
  const extensionElements = `<zeebe:properties>${propertyElements}</zeebe:properties>${inputMappings === '' ? '' : `<zeebe:ioMapping>${inputMappings}</zeebe:ioMapping>`}${assignment}${dueDate === undefined ? '' : `<zeebe:taskSchedule dueDate="${dueDate}" />`}`;
  const draftTask = serviceTask('draft', 'draft').replace(
    '<bpmn:serviceTask',
    '<bpmn:serviceTask name="Draft the notes"',
  );
  return addDiagram(
    processModel(
      id,
      `<bpmn:startEvent id="start" name="Release wanted" />${draftTask}<bpmn:userTask id="ok" name="${title}"><bpmn:extensionElements>${extensionElements}</bpmn:extensionElements></bpmn:userTask>` +
        '<bpmn:task id="publish" name="Publish the release" /><bpmn:endEvent id="end" name="Released" />',
      'start > draft',
      'draft > ok',
      'ok > publish',
      'publish > end',
    ),
  );
}

const RISK_FACTORS =
  '=[{&quot;code&quot;: &quot;touches_auth&quot;, &quot;description&quot;: &quot;Changes how people sign in.&quot;, &quot;weight&quot;: 3}, {&quot;code&quot;: &quot;large&quot;, &quot;description&quot;: &quot;Changes more than 500 lines.&quot;, &quot;weight&quot;: 1}]';

const MODELS = Object.freeze({
  simple: approvalModel('simple', {
    inputs: { version: '=version', notes: '=notes' },
    properties: { 'approval.reworkStep': 'draft' },
  }),
  quorum: approvalModel('quorum', {
    properties: { 'approval.quorum': '2' },
    assignment: '<zeebe:assignmentDefinition candidateUsers="ada, bea, cem" />',
    title: 'Approve by two',
  }),
  evidence: approvalModel('evidence', {
    properties: { 'approval.evidence': 'notes.md', 'risk.level': 'high', 'risk.factors': RISK_FACTORS },
    title: 'Approve the risky release',
    inputs: { version: '=version' },
  }),
  pieces: approvalModel('pieces', {
    properties: { 'approval.evidence': 'one.md, two.md, three.md, four.md, five.md', 'risk.level': 'high' },
    title: 'Approve by five papers',
  }),
  notes: approvalModel('notes', { properties: { 'approval.evidence': 'notes.md' }, title: 'Approve the notes' }),
  overdue: approvalModel('overdue', { title: 'Approve what is late', dueDate: '2025-01-01T00:00:00Z' }),
  signed: approvalModel('signed', {
    title: 'Approve the signed release',
    properties: { 'approval.requireSignature': 'true' },
  }),
  agent: agentModel('agent', 'writer'),
  signedAgent: agentModel(
    'signedAgent',
    'writer',
    '',
    '<zeebe:properties><zeebe:property name="approval.requireSignature" value="true" /></zeebe:properties>',
  ),
  hostile: approvalModel('hostile', { title: '&lt;img src=x onerror=alert(1)&gt;', inputs: { notes: '=notes' } }),
});

export type ApprovalModelName = keyof typeof MODELS;

/** Creates approvals in the states that an inbox shows. */
export class ApprovalMaker {
  private constructor(
    private readonly countersign: TestHost,
    /** The user who starts the runs, and so may not decide. */
    readonly vera: Client,
  ) {}

  static async deployTo(countersign: TestHost, ...models: readonly ApprovalModelName[]): Promise<ApprovalMaker> {
    for (const model of models) await countersign.deploy(MODELS[model]);
    return new ApprovalMaker(countersign, await countersign.client('viewer', 'vera'));
  }

  /** Starts a run that waits for an approval. @param variables output of the draft job */
  async createApproval(
    model: ApprovalModelName,
    variables: Record<string, string> = {},
    client = this.vera,
  ): Promise<Approval> {
    const { runId } = await client.startRun({ body: { workflowId: model, inputs: { version: '1.4.0' } } });
    if (model !== 'agent' && model !== 'signedAgent') await this.completeDraft(variables);
    return waitForApproval(client, runId);
  }

  /** Approves the call of a run with edited arguments, as another user. @returns the next round */
  async approveEditedCall(runId: string): Promise<Approval> {
    const zoe = await this.countersign.client('approver', 'zoe');
    const [approval] = (await zoe.listApprovals({ runId })).items;
    if (approval === undefined) throw new Error('The edited call has no pending approval.');
    return zoe.decideApproval({
      approvalId: approval.approvalId,
      body: { decision: 'approve', expectedDigest: approval.digest },
    });
  }

  /** Completes the pending draft job. */
  async completeDraft(variables: Record<string, string> = {}): Promise<void> {
    await this.countersign.jobs.complete('draft', { notes: 'Fixes the printer.', ...variables });
  }

  /** Creates an approval at high risk whose evidence exists. */
  async createRiskyApproval(text = '# Notes\n\n- Fixes the printer\n'): Promise<Approval> {
    return this.createApprovalWithNotes('evidence', text);
  }

  /** Creates an approval with `notes.md` as evidence: at high risk for workflow `evidence`, at low risk for `notes`. */
  async createApprovalWithNotes(workflowId: 'evidence' | 'notes', text: string): Promise<Approval> {
    const { runId } = await this.vera.startRun({ body: { workflowId, inputs: { version: '2.0.0' } } });
    await this.upload(runId, text);
    await this.completeDraft();
    return waitForApproval(this.vera, runId);
  }

  /** Creates an approval at high risk with five pieces of evidence that have the given numbers of lines. */
  async createApprovalWithEvidence(
    ...lineCounts: readonly [number, number, number, number, number]
  ): Promise<Approval> {
    const { runId } = await this.vera.startRun({ body: { workflowId: 'pieces' } });
    for (const [index, count] of lineCounts.entries()) {
      const name = `${['one', 'two', 'three', 'four', 'five'][index]}.md`;
      await this.upload(
        runId,
        Array.from({ length: count }, (_, line) => `${name}, line ${line + 1}.`).join('\n'),
        name,
      );
    }
    await this.completeDraft();
    return waitForApproval(this.vera, runId);
  }

  /** Uploads evidence as a user who is not a candidate. */
  async upload(runId: string, text: string, artifactName = 'notes.md'): Promise<void> {
    const operator = await this.countersign.client('operator', 'otto');
    await operator.uploadArtifact({
      runId,
      artifactName,
      body: new TextEncoder().encode(text),
      contentType: 'text/markdown',
    });
  }
}

/** The agent of the workflow `agent`: proposes to write a note with untrusted content. */
export const WRITER_AGENT: ConstructorParameters<typeof ScriptedAgents>[0] = Object.freeze({
  writer: (turn: number) =>
    turn === 1
      ? { text: 'I write.', taint: ['webhook'], calls: [{ tool: 'note', arguments: { text: 'hello' } }] }
      : { output: { done: true } },
});
