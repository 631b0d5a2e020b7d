import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient, type Client } from '@countersign/contract';
import type { ServerProcess } from '../http/server-process.js';
import { COMMENT, decidePayment, DEPARTMENTS, type PaymentDecision, type PaymentFacts } from './task.js';

const EXAMPLE = new URL('../../../examples/vendor-payments/', import.meta.url);
const PAYMENT_COUNT = 36;
export const QUESTION_COUNT = 4;
const RISK_FACTORS = '<zeebe:property name="risk.factors"';
/** Lets approvers request changes, which the example does not. The run then requests the payment again. */
const REWORK_STEP = '<zeebe:property name="approval.reworkStep" value="check" />';
/** Texts of approvals, which versions before them refuse. */
const APPROVAL_TEXTS = /<zeebe:property name="approval\.(title|summary|fields)"[^]*?\/>/g;
export const APPROVER = { subject: 'bob', groups: ['treasury'] } as const;

/** Inputs of a run of the example (`invoices.mjs`). */
type PaymentInputs = {
  readonly supplier: string;
  readonly invoice: {
    readonly number: string;
    readonly amount: number;
    readonly currency: string;
    readonly items: { readonly amount: number }[];
  };
};

const QUESTION_MODEL = `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" id="definitions" targetNamespace="urn:countersign:bench">
  <bpmn:process id="cost-centre" name="Cost centre" isExecutable="true">
    <bpmn:startEvent id="start" />
    <bpmn:serviceTask id="assign" name="Assign a cost centre">
      <bpmn:extensionElements>
        <zeebe:taskDefinition type="agent" />
        <zeebe:ioMapping>
          <zeebe:input source="=number" target="number" />
          <zeebe:input source="=department" target="department" />
        </zeebe:ioMapping>
        <zeebe:taskHeaders>
          <zeebe:header key="agent" value="accountant" />
          <zeebe:header key="prompt" value="Assign a cost centre." />
        </zeebe:taskHeaders>
      </bpmn:extensionElements>
    </bpmn:serviceTask>
    <bpmn:endEvent id="end" />
    <bpmn:sequenceFlow id="to-assign" sourceRef="start" targetRef="assign" />
    <bpmn:sequenceFlow id="to-end" sourceRef="assign" targetRef="end" />
  </bpmn:process>
</bpmn:definitions>`;

const AGENT = {
  name: 'accountant',
  description: 'Asks which department pays an invoice.',
  system: 'Ask which department pays.',
  tools: ['human.ask'],
  budget: { turns: 5, toolCalls: 5 },
};

const SCRIPT = {
  model: 'accountant',
  rules: [
    {
      when: { turn: 1 },
      answer: {
        calls: [
          {
            tool: 'human.ask',
            arguments: {
              question: {
                $text: [
                  'The goods of invoice ',
                  { $from: 'inputs/number' },
                  ' went to ',
                  { $from: 'inputs/department' },
                  '. Which department pays?',
                ],
              },
              options: DEPARTMENTS,
            },
          },
        ],
      },
    },
    { when: { lastTool: 'human.ask' }, answer: { output: {} } },
  ],
};

/**
 * Writes the agent and its scripted model to a directory.
 *
 * @returns the configuration of the server
 */
export async function writeAgent(directory: string): Promise<Record<string, unknown>> {
  const [agents, models] = [join(directory, 'agents'), join(directory, 'models')];
  await Promise.all([mkdir(agents), mkdir(models)]);
  await writeFile(join(agents, 'accountant.yaml'), JSON.stringify(AGENT));
  await writeFile(join(models, 'accountant.yaml'), JSON.stringify(SCRIPT));
  return {
    Plugins: [],
    Agents: { Directory: agents, DefaultModel: { Provider: 'scripted', Name: 'accountant' } },
    Models: { Scripted: { Directory: models } },
  };
}

/** Requests on a server, and the decisions that are right for them. */
export interface TrialRequests {
  readonly count: number;
  /**
   * Waits until the server has recorded a decision for each request that is not to be left.
   *
   * @throws {Error} if a request was decided wrongly, or not at all
   */
  verify(): Promise<void>;
}

/**
 * Starts the runs that request the payments and ask the questions.
 *
 * @param hasTexts whether the model defines what approvers read; otherwise the server is older than that
 */
export async function createRequests(server: ServerProcess, hasTexts: boolean): Promise<TrialRequests> {
  const client = createClient({ baseUrl: server.url, token: await server.mintToken('clara', 'operator') });
  const admin = await server.mintToken('ada', 'admin');
  const example = await readFile(new URL('workflows/vendor-payment.bpmn', EXAMPLE), 'utf8');
  const paymentModel = example.replace(RISK_FACTORS, `${REWORK_STEP}${RISK_FACTORS}`);
  for (const xml of [hasTexts ? paymentModel : paymentModel.replaceAll(APPROVAL_TEXTS, ''), QUESTION_MODEL]) {
    const response = await fetch(`${server.url}/api/workflows`, {
      method: 'POST',
      body: xml,
      headers: { 'authorization': `Bearer ${admin}`, 'content-type': 'application/xml' },
    });
    if (!response.ok) throw new Error(await response.text());
  }
  const { createInvoices } = (await import(new URL('invoices.mjs', EXAMPLE).href)) as {
    createInvoices(count: number): readonly PaymentInputs[];
  };
  const expectedOutcomes = new Map<string, string>();
  for (const [index, inputs] of createInvoices(PAYMENT_COUNT).entries()) {
    const { number } = inputs.invoice;
    const { runId } = await client.startRun({
      body: { workflowId: 'vendor-payment', businessKey: number, inputs },
    });
    expectedOutcomes.set(runId, describeDecision(decidePayment(readFacts(inputs))));
    if (index % (PAYMENT_COUNT / QUESTION_COUNT) !== 0) continue;
    const department = DEPARTMENTS[((index * QUESTION_COUNT) / PAYMENT_COUNT) % 2] ?? DEPARTMENTS[0];
    const question = await client.startRun({ body: { workflowId: 'cost-centre', inputs: { number, department } } });
    expectedOutcomes.set(question.runId, department);
  }
  await retry(async () => {
    const { size } = await readOutcomes(client);
    if (size !== expectedOutcomes.size) throw new Error(`${size} requests arrived.`);
  });
  return {
    count: expectedOutcomes.size,
    verify: () =>
      retry(async () => {
        const outcomes = await readOutcomes(client);
        const wrong = [...expectedOutcomes].filter(([runId, expected]) => outcomes.get(runId) !== expected);
        if (wrong.length > 0)
          throw new Error(
            `Wrong decisions:\n${wrong.map(([runId, expected]) => `${expected}, but was ${outcomes.get(runId)}`).join('\n')}`,
          );
      }),
  };
}

function readFacts(inputs: PaymentInputs): PaymentFacts {
  const { supplier, invoice } = inputs;
  const { amount, currency, items } = invoice;
  const itemsAmount = Math.round(items.reduce((sum, item) => sum + item.amount, 0) * 100) / 100;
  return {
    supplier,
    amount,
    currency,
    hasNewBankAccount: 'bankAccount' in inputs,
    hasWrongTotal: itemsAmount !== amount,
  };
}

const describeDecision = (decision: PaymentDecision): string =>
  describeVote(decision, decision === 'request_changes' ? COMMENT : null);

const describeVote = (decision: string, comment: string | null): string =>
  comment === null ? decision : `${decision}: ${comment}`;

/** Returns what the server has recorded about each request, by run: the votes with their comments, or the answer. */
async function readOutcomes(client: Client): Promise<Map<string, string>> {
  const outcomes = new Map<string, string>();
  const { items: approvals } = await client.listApprovals({ status: 'all', limit: 100 });
  for (const { runId } of approvals) outcomes.set(runId, 'leave');
  // A request for changes opens another round, which is left.
  for (const { runId, votes } of approvals)
    for (const { decision, comment } of votes) outcomes.set(runId, describeVote(decision, comment));
  for (const status of ['pending', 'answered'] as const) {
    const { items: questions } = await client.listQuestions({ status, limit: 100 });
    for (const { runId, answer } of questions) outcomes.set(runId, String(answer));
  }
  return outcomes;
}

/** Repeats a check until it succeeds, for 30 s. */
async function retry(check: () => Promise<void>, tries = 300): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (tries <= 1) throw error;
    await delay(100);
    await retry(check, tries - 1);
  }
}
