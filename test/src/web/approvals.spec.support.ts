import type { Approval, Client } from '@countersign/contract';
import { processModel, serviceTask, type TestHost } from '@countersign/testing';
import type { ScriptedAgents } from '../http/agents.spec.support.js';
import { agentModel } from '../http/agents.spec.support.js';
import { untilApproval } from '../http/http.spec.support.js';
import { drawModel } from './draw-model.spec.support.js';

/** Jobs that the host completes manually: `createTestHost({ jobTypes: APPROVAL_JOBS })`. */
export const APPROVAL_JOBS: readonly string[] = Object.freeze(['draft']);

interface Asked {
  /** `zeebe:property` names and values. */
  readonly properties?: Readonly<Record<string, string>>;
  readonly assignment?: string;
  readonly dueDate?: string;
  readonly title?: string;
  readonly inputs?: Readonly<Record<string, string>>;
}

/** A draft, its approval, and the next step. */
function askingModel(
  id: string,
  { properties = {}, assignment = '', dueDate, title = 'Approve the release', inputs = {} }: Asked = {},
): string {
  const named = Object.entries(properties)
    .map(([name, value]) => `<zeebe:property name="${name}" value="${value}" />`)
    .join('');
  const mapped = Object.entries(inputs)
    .map(([target, source]) => `<zeebe:input source="${source}" target="${target}" />`)
    .join('');
  const extensions = `<zeebe:properties>${named}</zeebe:properties>${mapped === '' ? '' : `<zeebe:ioMapping>${mapped}</zeebe:ioMapping>`}${assignment}${dueDate === undefined ? '' : `<zeebe:taskSchedule dueDate="${dueDate}" />`}`;
  const draft = serviceTask('draft', 'draft').replace('<bpmn:serviceTask', '<bpmn:serviceTask name="Draft the notes"');
  return drawModel(
    processModel(
      id,
      `<bpmn:startEvent id="start" name="Release wanted" />${draft}<bpmn:userTask id="ok" name="${title}"><bpmn:extensionElements>${extensions}</bpmn:extensionElements></bpmn:userTask>` +
        '<bpmn:task id="publish" name="Publish the release" /><bpmn:endEvent id="end" name="Released" />',
      'start > draft',
      'draft > ok',
      'ok > publish',
      'publish > end',
    ),
  );
}

const FACTORS =
  '=[{&quot;code&quot;: &quot;touches_auth&quot;, &quot;description&quot;: &quot;Changes how people sign in.&quot;, &quot;weight&quot;: 3}, {&quot;code&quot;: &quot;large&quot;, &quot;description&quot;: &quot;Changes more than 500 lines.&quot;, &quot;weight&quot;: 1}]';

const MODELS = Object.freeze({
  simple: askingModel('simple', {
    inputs: { version: '=version', notes: '=notes' },
    properties: { 'approval.reworkStep': 'draft' },
  }),
  quorum: askingModel('quorum', {
    properties: { 'approval.quorum': '2' },
    assignment: '<zeebe:assignmentDefinition candidateUsers="ada, bea, cem" />',
    title: 'Approve by two',
  }),
  evidence: askingModel('evidence', {
    properties: { 'approval.evidence': 'notes.md', 'risk.level': 'high', 'risk.factors': FACTORS },
    title: 'Approve the risky release',
    inputs: { version: '=version' },
  }),
  pieces: askingModel('pieces', {
    properties: { 'approval.evidence': 'one.md, two.md, three.md, four.md, five.md', 'risk.level': 'high' },
    title: 'Approve by five papers',
  }),
  notes: askingModel('notes', { properties: { 'approval.evidence': 'notes.md' }, title: 'Approve the notes' }),
  overdue: askingModel('overdue', { title: 'Approve what is late', dueDate: '2025-01-01T00:00:00Z' }),
  signed: askingModel('signed', {
    title: 'Approve what is signed',
    properties: { 'approval.requireSignature': 'true' },
  }),
  agent: agentModel('agent', 'writer'),
  signedAgent: agentModel(
    'signedAgent',
    'writer',
    '',
    '<zeebe:properties><zeebe:property name="approval.requireSignature" value="true" /></zeebe:properties>',
  ),
  hostile: askingModel('hostile', { title: '&lt;img src=x onerror=alert(1)&gt;', inputs: { notes: '=notes' } }),
});

export type AskingModel = keyof typeof MODELS;

/** Creates approvals in the states that an inbox shows. */
export class ApprovalMaker {
  private constructor(
    private readonly countersign: TestHost,
    /** The user who starts the runs, and so may not decide. */
    readonly vera: Client,
  ) {}

  static async on(countersign: TestHost, ...models: readonly AskingModel[]): Promise<ApprovalMaker> {
    for (const model of models) await countersign.deploy(MODELS[model]);
    return new ApprovalMaker(countersign, await countersign.client('viewer', 'vera'));
  }

  /** Starts a run that waits for an approval. @param variables output of the draft job */
  async asked(model: AskingModel, variables: Record<string, string> = {}, client = this.vera): Promise<Approval> {
    const { runId } = await client.startRun({ body: { workflowId: model, inputs: { version: '1.4.0' } } });
    if (model !== 'agent' && model !== 'signedAgent') await this.drafted(variables);
    return untilApproval(client, runId);
  }

  /** Approves the call of a run with edited arguments, as another user. @returns the next round */
  async approveEdited(runId: string): Promise<Approval> {
    const zoe = await this.countersign.client('approver', 'zoe');
    const [round] = (await zoe.listApprovals({ runId })).items;
    if (round === undefined) throw new Error('Nobody is asked about the edited call.');
    return zoe.decideApproval({
      approvalId: round.approvalId,
      body: { decision: 'approve', expectedDigest: round.digest },
    });
  }

  /** Completes the pending draft job. */
  async drafted(variables: Record<string, string> = {}): Promise<void> {
    await this.countersign.jobs.complete('draft', { notes: 'Fixes the printer.', ...variables });
  }

  /** Creates an approval at high risk whose evidence exists. */
  async risky(text = '# Notes\n\n- Fixes the printer\n'): Promise<Approval> {
    return this.withNotes('evidence', text);
  }

  /** Creates an approval with `notes.md` as evidence: at high risk for workflow `evidence`, at low risk for `notes`. */
  async withNotes(workflowId: 'evidence' | 'notes', text: string): Promise<Approval> {
    const { runId } = await this.vera.startRun({ body: { workflowId, inputs: { version: '2.0.0' } } });
    await this.upload(runId, text);
    await this.drafted();
    return untilApproval(this.vera, runId);
  }

  /** Creates an approval at high risk with five pieces of evidence that have the given numbers of lines. */
  async withPieces(...lines: readonly [number, number, number, number, number]): Promise<Approval> {
    const { runId } = await this.vera.startRun({ body: { workflowId: 'pieces' } });
    for (const [index, count] of lines.entries()) {
      const name = `${['one', 'two', 'three', 'four', 'five'][index]}.md`;
      await this.upload(
        runId,
        Array.from({ length: count }, (_, line) => `${name}, line ${line + 1}.`).join('\n'),
        name,
      );
    }
    await this.drafted();
    return untilApproval(this.vera, runId);
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
export const WRITER: ConstructorParameters<typeof ScriptedAgents>[0] = Object.freeze({
  writer: (turn: number) =>
    turn === 1
      ? { text: 'I write.', taint: ['webhook'], calls: [{ tool: 'note', arguments: { text: 'hello' } }] }
      : { output: { done: true } },
});
