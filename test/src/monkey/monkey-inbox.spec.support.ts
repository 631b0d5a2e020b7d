import type { Approval, Client } from '@countersign/contract';
import { createTestHost, processModel, serviceTask, type TestHost } from '@countersign/testing';
import { agentModel, ScriptedAgents } from '../http/scripted-agents.spec.support.js';
import { waitForApproval } from '../http/http.spec.support.js';
import { addDiagram } from '../web/draw-model.spec.support.js';
import type { SeededRandom } from '../seeded-random.spec.support.js';

/** User that the monkey is signed in as. */
export const MONKEY_USER = 'ada';
/** Another approver. */
const OTHER_APPROVER = 'bea';

const NOTES = `# Notes\n\n${'- Fixes the printer\n'.repeat(4)}`;
const LONG_NOTES = `# Notes\n\n${'- Fixes one more printer\n\n'.repeat(80)}`;

export type ApprovalKind = 'plain' | 'quorum' | 'risky' | 'long' | 'tool' | 'batch';

/** A vote as the server has recorded it. */
export interface CountedVote {
  readonly approvalId: string;
  readonly title: string;
  readonly decision: string;
  readonly comment: string;
}

/** Approvals of every kind, with unique titles (except those for bulk approval), and the users besides the monkey. */
export class MonkeyInbox {
  /** All approvals requested so far, by id. */
  readonly approvals = new Map<string, Approval>();
  readonly runs = new Set<string>();
  private approvalCount = 0;

  private constructor(
    readonly countersign: TestHost,
    private readonly vera: Client,
    private readonly otto: Client,
    private readonly bea: Client,
  ) {}

  static async open(): Promise<MonkeyInbox> {
    const askerTurn = (turn: number) =>
      turn === 1 ? { calls: [{ tool: 'human.ask', question: { text: 'Which team is it for?' } }] } : { output: {} };
    const writerTurn = (turn: number) =>
      turn === 1
        ? { text: 'I write.', taint: ['webhook'], calls: [{ tool: 'note', arguments: { text: 'hello' } }] }
        : { output: { done: true } };
    const agents = new ScriptedAgents({ writer: writerTurn, asker: askerTurn });
    const countersign = await createTestHost({ jobTypes: ['draft'], plugins: [agents.plugin()] });
    const [vera, otto, bea] = await Promise.all([
      countersign.client('viewer', 'vera'),
      countersign.client('operator', 'otto'),
      countersign.client('approver', OTHER_APPROVER),
    ]);
    const inbox = new MonkeyInbox(countersign, vera, otto, bea);
    void inbox.completeDrafts();
    await countersign.deploy(agentModel('asker', 'asker'));
    await countersign.deploy(approvalModel('batch', 'Approve the batch', {}));
    return inbox;
  }

  /** Requests approvals of random kinds, and asks a question. */
  async fill(random: SeededRandom, count: number): Promise<void> {
    await this.vera.startRun({ body: { workflowId: 'asker' } });
    for (let created = 0; created < count; created += 1) {
      await this.createApproval(
        random.weighted<ApprovalKind>([
          [5, 'plain'],
          [2, 'quorum'],
          [2, 'risky'],
          [1, 'long'],
          [3, 'tool'],
          [4, 'batch'],
        ]),
      );
    }
  }

  /** Returns the number of approvals that wait for the monkey. */
  async countPending(): Promise<number> {
    const ada = await this.countersign.client('approver', MONKEY_USER);
    return (await ada.listApprovals({ inbox: 'mine', limit: 200 })).items.length;
  }

  /** Requests one approval. */
  async createApproval(kind: ApprovalKind): Promise<Approval> {
    const name = `${kind}-${(this.approvalCount += 1)}`;
    const title = `Approve ${name.replace('-', ' ')}`;
    if (kind !== 'batch') await this.countersign.deploy(buildModel(kind, name, title));
    const { runId } = await this.vera.startRun({
      body: { workflowId: kind === 'batch' ? 'batch' : name, inputs: { version: '1.4.0' } },
    });
    this.runs.add(runId);
    const approval = await waitForApproval(this.vera, runId);
    this.approvals.set(approval.approvalId, approval);
    return approval;
  }

  /** Votes on an approval as another user, or changes its evidence. */
  async actAsOthers(random: SeededRandom): Promise<void> {
    const { items } = await this.bea.listApprovals({ inbox: 'mine', limit: 200 });
    if (items.length === 0) return;
    const { approvalId, runId, subject } = random.pick(items);
    if (subject.evidence.length > 0 && random.chance(0.5)) {
      const body = new TextEncoder().encode(`${NOTES}- ${random.int(1_000_000)}\n`);
      // The upload is refused if the run has ended.
      await this.otto
        .uploadArtifact({ runId, artifactName: 'notes.md', body, contentType: 'text/markdown' })
        .catch(() => undefined);
      return;
    }
    const decision = random.pick(['approve', 'reject', 'request_changes'] as const);
    // The vote is refused if the monkey was faster.
    await this.bea
      .decideApproval({ approvalId, body: { decision, comment: 'By another user.' } })
      .catch(() => undefined);
  }

  /** Returns the votes of the monkey that the server has recorded, from the histories of the runs. */
  async listCountedVotes(): Promise<CountedVote[]> {
    const votes: CountedVote[] = [];
    for (const runId of this.runs) {
      const events = await listEvents(this.vera, runId);
      for (const { type, actor, data } of events) {
        if (type !== 'approval.voted' || actor !== MONKEY_USER) continue;
        const approval = await this.vera.getApproval({ approvalId: String(data['approvalId']) });
        const vote = approval.votes.find(({ voteId }) => voteId === data['voteId']);
        votes.push({
          approvalId: approval.approvalId,
          title: approval.title,
          decision: String(data['decision']),
          comment: vote?.comment ?? '',
        });
      }
    }
    return votes;
  }

  async close(): Promise<void> {
    await this.countersign.close();
  }

  /** Completes jobs of type `draft` as they arrive. */
  private async completeDrafts(): Promise<void> {
    const { jobs } = this.countersign;
    for (;;) {
      const { job, complete } = await jobs.take('draft');
      const evidence = job.headers['evidence'];
      if (evidence !== undefined)
        await this.otto.uploadArtifact({
          runId: job.runId,
          artifactName: 'notes.md',
          body: new TextEncoder().encode(evidence === 'long' ? LONG_NOTES : NOTES),
          contentType: 'text/markdown',
        });
      complete({ notes: 'Fixes the printer.' });
    }
  }
}

async function listEvents(client: Client, runId: string) {
  const events = [];
  let afterSeq = 0;
  for (;;) {
    const { items } = await client.listRunEvents({ runId, after: afterSeq, limit: 200 });
    events.push(...items);
    const last = items.at(-1);
    if (last === undefined || items.length < 200) return events;
    afterSeq = last.seq;
  }
}

function buildModel(kind: Exclude<ApprovalKind, 'batch'>, id: string, title: string): string {
  if (kind === 'tool') return agentModel(id, 'writer').replace('name="Work"', `name="${title}"`);
  if (kind === 'quorum') return approvalModel(id, title, { 'approval.quorum': '2' });
  if (kind === 'plain') return approvalModel(id, title, {});
  return approvalModel(
    id,
    title,
    { 'approval.evidence': 'notes.md', 'risk.level': 'high' },
    kind === 'long' ? 'long' : 'short',
  );
}

function approvalModel(
  id: string,
  title: string,
  properties: Readonly<Record<string, string>>,
  evidence?: string,
): string {
  const propertyElements = Object.entries({ 'approval.reworkStep': 'draft', ...properties })
    .map(([name, value]) => `<zeebe:property name="${name}" value="${value}" />`)
    .join('');
  const headers =
    evidence === undefined
      ? ''
      : `<zeebe:taskHeaders><zeebe:header key="evidence" value="${evidence}" /></zeebe:taskHeaders>`;
  const draft = serviceTask('draft', 'draft').replace(
    '</bpmn:extensionElements>',
    `${headers}</bpmn:extensionElements>`,
  );
  const task = `<bpmn:userTask id="ok" name="${title}"><bpmn:extensionElements><zeebe:properties>${propertyElements}</zeebe:properties></bpmn:extensionElements></bpmn:userTask>`;
  return addDiagram(
    processModel(
      id,
      `<bpmn:startEvent id="start" />${draft}${task}<bpmn:endEvent id="end" />`,
      'start > draft',
      'draft > ok',
      'ok > end',
    ),
  );
}
