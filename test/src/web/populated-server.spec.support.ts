import { connectorNotifyPlugin } from '@countersign/connector-notify';
import type { Approval, RunDetail } from '@countersign/contract';
import { definePlugin, type SettingsTestCheck, SettingsTestContribution } from '@countersign/core/plugin';
import { outboundHttpPlugin } from '@countersign/outbound-http';
import { decisionModel, isoTimeIn, processModel, type TestHost } from '@countersign/testing';
import { randomBytes } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { connectorTask, startService, waitUntilSettled, type Service } from '../connectors/connectors.spec.support.js';
import { buildEvent, Ingress, buildSignedRequest } from '../event-ingress/ingress.spec.support.js';
import { createDigest, ScriptedAgents } from '../http/scripted-agents.spec.support.js';
import { createDoor } from '../settings/door.spec.support.js';
import { APPROVAL_JOBS, ApprovalMaker, WRITER_AGENT } from './approvals.spec.support.js';
import { jobExtension, drawnModel, escapeXml, type DrawnElement } from './drawn-model.spec.support.js';
import { PartsHost, RESEARCHER_AGENTS } from './run-parts.spec.support.js';
import { RUN_JOBS, RunMaker } from './runs.spec.support.js';

const ORDER_STEPS: readonly DrawnElement[] = [
  { id: 'start', kind: 'startEvent' },
  { id: 'work', kind: 'serviceTask', name: 'Do the work', inner: jobExtension('work') },
  { id: 'ok', kind: 'userTask', name: 'Review' },
];
const END: DrawnElement = { id: 'end', kind: 'endEvent' };
const REORDERED_STEPS: readonly DrawnElement[] = [
  ...ORDER_STEPS,
  { id: 'send', kind: 'serviceTask', name: 'Send', inner: jobExtension('work') },
  END,
];

/** Two versions of one workflow, a third one that can be deployed, and one that is refused. */
export const ORDER_MODELS = Object.freeze({
  first: drawnModel('order', 'Order and pay', [...ORDER_STEPS, END], 'Orders are paid.'),
  second: drawnModel('order', 'Order and pay', REORDERED_STEPS, 'Orders are paid.'),
  better: drawnModel('order', 'Order and pay', [...ORDER_STEPS, END], 'Orders are paid at once.'),
  refused: drawnModel('order', 'Order and pay', REORDERED_STEPS, 'Orders are paid.').replace(jobExtension('work'), ''),
});

const INPUT_SCHEMA = {
  type: 'object',
  required: ['repository', 'dryRun'],
  properties: {
    repository: { type: 'string', title: 'Repository', description: 'Repository with the source code.' },
    level: { title: 'Level', enum: ['patch', 'minor'] },
    date: { type: 'string', format: 'date', title: 'Date' },
    dryRun: { type: 'boolean', title: 'Dry run' },
    reviewers: { type: 'array', title: 'Reviewers', items: { type: 'string', title: 'Reviewer' } },
  },
};
const INPUT_SCHEMA_MODEL = processModel(
  'schema',
  `<bpmn:extensionElements><zeebe:properties><zeebe:property name="inputSchema" value="${escapeXml(JSON.stringify(INPUT_SCHEMA))}" /></zeebe:properties></bpmn:extensionElements><bpmn:startEvent id="start" /><bpmn:endEvent id="end" />`,
  'start > end',
);

class BellTest implements SettingsTestContribution {
  readonly target = 'bell';
  checks(): readonly SettingsTestCheck[] {
    return [
      { name: 'rings', run: async () => 'It rang.' },
      { name: 'is heard', run: () => Promise.reject(new Error('The bell was not heard.')) },
    ];
  }
}
const bellPlugin = definePlugin({
  id: 'bell',
  register({ contribute }) {
    contribute(SettingsTestContribution, BellTest);
  },
});

/** Runs and approvals in the usual states, each for its own view. */
interface PopulatedData {
  readonly failed: RunDetail;
  /** Run that waits for a message; a newer version of its workflow is deployed. */
  readonly message: RunDetail;
  /** Run that waits for its child run. */
  readonly calling: RunDetail;
  readonly timerRun: RunDetail;
  /** Run with an agent step, an answered question and an artifact, which waits for two approvers. */
  readonly reviewing: RunDetail;
  /** Run that waits for the answer to a question of its agent. */
  readonly asking: RunDetail;
  readonly simple: readonly Approval[];
  /** Approval in its second round, after changes were requested. */
  readonly secondRound: Approval;
  readonly risky: Approval;
  readonly quorum: Approval;
  /** A call proposed by an agent. */
  readonly call: Approval;
  readonly questionId: string;
  /** An event that no run waited for. */
  readonly eventId: string;
  /** A run whose notification is held, because its endpoint is disabled. */
  readonly notifyRunId: string;
  readonly deliveryId: string;
}

/** A server with content for each page, created through its API like a user. */
export class PopulatedServer {
  private constructor(
    private readonly ingress: Ingress,
    private readonly service: Service,
    readonly data: PopulatedData,
  ) {}

  get countersign(): TestHost {
    return this.ingress.server;
  }

  static async start(browser: Browser): Promise<PopulatedServer> {
    const service = await startService();
    const agents = new ScriptedAgents({ ...WRITER_AGENT, ...RESEARCHER_AGENTS });
    agents.pins.push({
      name: 'files.read',
      source: 'files',
      accepted: { digest: createDigest('1'), at: 0, by: 'root' },
      offered: {
        description: 'Reads a file.',
        inputSchema: { type: 'object' },
        effect: 'read',
        reversible: true,
        digest: createDigest('2'),
      },
      stopped: { code: 'tool_changed', message: 'It was changed.', since: 1_000 },
    });
    const ingress = await Ingress.create([], {
      jobTypes: [...RUN_JOBS, ...APPROVAL_JOBS],
      plugins: [bellPlugin, createDoor().plugin, agents.plugin(), outboundHttpPlugin, connectorNotifyPlugin],
      configuration: {
        Door: { Sources: [{ Id: 'ci', Secret: 'from the file, long enough' }], Token: 'a token of the door' },
        Connectors: {
          AllowedNetworks: ['127.0.0.1'],
          Notify: {
            Endpoints: [
              { Id: 'desk', Url: `${service.url}/hook`, Secret: `whsec_${randomBytes(32).toString('base64')}` },
            ],
            RetryAfter: ['PT24H'],
          },
        },
      },
    });
    return new PopulatedServer(ingress, service, await createData(ingress, service, browser, agents));
  }

  async close(): Promise<void> {
    await this.ingress.close();
    await this.service.close();
  }
}

async function createData(
  ingress: Ingress,
  service: Service,
  browser: Browser,
  agents: ScriptedAgents,
): Promise<PopulatedData> {
  const { server } = ingress;
  const runs = await RunMaker.deployTo(server);
  const approvals = await ApprovalMaker.deployTo(server, 'simple', 'quorum', 'evidence', 'overdue', 'agent');
  const partsHost = await PartsHost.deployTo(server, browser, agents);
  await deployExtraModels(server);
  const failed = await runs.startFailedRun();
  const message = await runs.startRunWaitingForMessage();
  await runs.deployAgain('message');
  const calling = await runs.startRunWaitingForCall();
  const timerRun = await runs.startRunWaitingForTimer();
  const simple = [await approvals.createApproval('simple'), await approvals.createApproval('simple')];
  const first = await approvals.createApproval('simple');
  await (
    await server.client('approver', 'bea')
  ).decideApproval({
    approvalId: first.approvalId,
    body: { decision: 'request_changes', comment: 'Name the migration.' },
  });
  await approvals.completeDraft({ notes: 'Fixes the printer. Runs a migration.' });
  const changedRun = await partsHost.waitForRun(first.runId, ({ pendingApprovals }) => pendingApprovals > 0);
  const { items } = await approvals.vera.listApprovals({ runId: changedRun.runId });
  const overdueApproval = await approvals.createApproval('overdue');
  await (
    await server.client('approver', 'ada')
  ).decideApproval({
    approvalId: overdueApproval.approvalId,
    body: { decision: 'approve', comment: 'Approved late.' },
  });
  await approvals.createApproval('overdue');
  const inDays = (days: number): string => isoTimeIn(days * 86_400_000);
  // Starts later, so that it does not affect other views.
  await (await server.client('approver', 'ada')).setMyAbsence({ body: { from: inDays(1), until: inDays(2) } });
  const asking = await partsHost.startAskingRun();
  const { items: questions } = await partsHost.viewer.listQuestions({ runId: asking.runId });
  return {
    failed,
    message,
    calling,
    timerRun,
    simple,
    secondRound: items[0] ?? first,
    risky: await approvals.createRiskyApproval(),
    quorum: await approvals.createApproval('quorum'),
    call: await approvals.createApproval('agent'),
    reviewing: await partsHost.startReviewedRun(),
    asking,
    questionId: questions[0]?.questionId ?? '',
    ...(await createEventsAndDeliveries(ingress, service)),
  };
}

async function deployExtraModels(server: TestHost): Promise<void> {
  await server.deploy(ORDER_MODELS.first);
  await server.deploy(ORDER_MODELS.second);
  await server.deploy(INPUT_SCHEMA_MODEL);
  await server.deploy(
    processModel(
      'notify',
      `<bpmn:startEvent id="start" />${connectorTask('tell', 'notify-webhook', { endpoint: 'desk', type: 'org.example.released', data: '={}' })}<bpmn:endEvent id="end" />`,
      'start > tell',
      'tell > end',
    ),
  );
  const headers = { 'authorization': `Bearer ${await server.token('admin')}`, 'content-type': 'application/xml' };
  await fetch(`${server.url}/api/decisions`, {
    method: 'POST',
    headers,
    body: decisionModel({
      id: 'risk',
      hitPolicy: 'FIRST',
      inputs: ['amount'],
      rules: ['> 100 => "high"', '- => "low"'],
    }),
  });
}

/** Creates inbound events from other systems and deliveries to them. */
async function createEventsAndDeliveries(
  ingress: Ingress,
  service: Service,
): Promise<Pick<PopulatedData, 'eventId' | 'notifyRunId' | 'deliveryId'>> {
  await ingress.startWaitingRun('taken');
  await ingress.post(buildSignedRequest(buildEvent('taken')));
  const eventId = String(
    (await ingress.post(buildSignedRequest(buildEvent('nobody', 'ci.passed', { build: 7 })))).body['eventId'],
  );
  service.respond = (_, response) => response.writeHead(410).end();
  const operator = await ingress.server.client('operator');
  const { runId } = await operator.startRun({ body: { workflowId: 'notify' } });
  await waitUntilSettled(operator, runId);
  const [delivery] = (await operator.listOutboundDeliveries({})).items;
  return { eventId, notifyRunId: runId, deliveryId: delivery?.deliveryId ?? '' };
}
