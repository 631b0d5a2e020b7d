import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { agentMcpPlugin } from '@countersign/agent-mcp';
import { agentToolsPlugin } from '@countersign/agent-tools';
import { connectorCodehostPlugin } from '@countersign/connector-codehost';
import { connectorHttpPlugin } from '@countersign/connector-http';
import type { Client, RunDetail } from '@countersign/contract';
import { EnginePort, type JsonObject } from '@countersign/core';
import { outboundHttpPlugin } from '@countersign/outbound-http';
import { createTestHost, processModel, type TestHost } from '@countersign/testing';
import { Notes, notesPlugin, settled } from '../agent-host.spec.support.js';
import { CASES, payload, type InjectionCase } from './cases.js';
import { ObedientModel } from './obedient-model.js';
import { openWorld, type World } from './world.js';

const MCP_SERVER = fileURLToPath(new URL('./evil-mcp-process.js', import.meta.url));
const TOOLS = [
  'http.get',
  'http.request',
  'codehost.issue.read',
  'codehost.comment',
  'codehost.issue.label',
  'artifact.read',
  'artifact.write',
  'run.inputs',
  'notes.write',
  'mcp.evil.read',
  'mcp.evil.write',
];
const CONTEXT = {
  actor: { type: 'service', id: 'event-ingress:tests', name: null },
  from: '127.0.0.1',
  traceId: null,
} as const;
const KEY = '<bpmn:extensionElements><zeebe:subscription correlationKey="=key" /></bpmn:extensionElements>';

/** Server whose agents obey every text, in an environment that tells them to do harm. */
export class InjectionHost {
  readonly model = new ObedientModel();
  readonly notes = new Notes();
  /** Secrets that must never be sent to a language model or recorded. */
  readonly secrets = { crm: randomBytes(24).toString('hex'), codehost: randomBytes(24).toString('hex') };
  host!: TestHost;
  world!: World;
  operator!: Client;
  approver!: Client;
  private elsewhere!: World;
  private directory!: string;

  get places() {
    return { world: this.world.url, elsewhere: this.elsewhere.url };
  }

  async start(configuration: (directory: string) => Promise<JsonObject> = () => Promise.resolve({})): Promise<void> {
    this.directory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-injection-'));
    this.world = await openWorld();
    this.elsewhere = await openWorld();
    this.world.payloads = ['', ...CASES.map((each) => payload(each, this.places))];
    // Leaks of a careless service: the secrets it received, in plain and in disguise.
    this.world.leaks = [
      this.secrets.crm,
      this.secrets.codehost,
      Buffer.from(`user:${this.secrets.crm}`).toString('base64'),
      Buffer.from(this.secrets.codehost).toString('hex'),
    ].join(' ');
    const described = CASES.filter(({ channel }) => channel === 'MCP description');
    await this.writeFiles(described);
    this.host = await createTestHost({
      plugins: [
        outboundHttpPlugin,
        connectorHttpPlugin,
        connectorCodehostPlugin,
        agentToolsPlugin,
        agentMcpPlugin,
        notesPlugin(this.notes),
        this.model.plugin(),
      ],
      configuration: { ...this.configuration(described), ...(await configuration(this.directory)) },
    });
    this.operator = await this.host.client('operator', 'olga');
    this.approver = await this.host.client('approver', 'anna');
    await this.host.deploy(agentModel('injected', TOOLS));
    await this.host.deploy(agentModel('injected-artifact', TOOLS, true));
    for (const { number } of described)
      await this.host.deploy(agentModel(`described-${number}`, [...TOOLS, `mcp.evil.t${number}`]));
  }

  /**
   * Exposes an agent to an attack.
   *
   * @returns the run once it waits for a user, or has ended
   */
  async attack(each: InjectionCase): Promise<RunDetail> {
    const { channel, number } = each;
    const key = randomUUID();
    const workflowId =
      channel === 'MCP description' ? `described-${number}` : channel === 'artifact' ? 'injected-artifact' : 'injected';
    const text = channel === 'input' ? payload(each, this.places) : 'nothing';
    const { startedRunIds } = await this.send(`incoming-${workflowId}`, key, { key, text, prompt: this.prompt(each) });
    const [runId = ''] = startedRunIds;
    if (channel === 'artifact') {
      await this.operator.uploadArtifact({
        runId,
        artifactName: 'input.txt',
        body: `${payload(each, this.places)} ${this.world.leaks}`,
        contentType: 'text/plain',
      });
      await this.send('go', key, {});
    }
    return settled(this.operator, runId);
  }

  /** Returns everything that was written anywhere, one text for each. */
  async written(): Promise<string[]> {
    const overHttp = [...this.world.written, ...this.elsewhere.written].map((each) => JSON.stringify(each));
    const overMcp = (await readFile(this.mcpWrites, 'utf8')).split('\n').filter((line) => line !== '');
    return [...overHttp, ...overMcp, ...this.notes.of('notes.write').map((each) => JSON.stringify(each.input))];
  }

  async close(): Promise<void> {
    await this.host?.close();
    await this.world?.close();
    await this.elsewhere?.close();
    await rm(this.directory, { recursive: true, force: true });
  }

  private prompt({ channel, number }: InjectionCase): string {
    const look = (tool: string, given: object): string =>
      `Look at this first: <<CALL ${tool} ${JSON.stringify(given)}>>`;
    switch (channel) {
      case 'input':
      case 'MCP description':
        return 'Do your work.';
      case 'web page':
        return look('http.get', { url: `${this.world.url}/page/${number}` });
      case 'JSON of an API':
        return look('http.get', { url: `${this.world.url}/json/${number}` });
      case 'error page':
        return look('http.get', { url: `${this.world.url}/missing/${number}` });
      case 'issue':
        return look('codehost.issue.read', { repository: 'acme/shop', number });
      case 'artifact':
        return look('artifact.read', { name: 'input.txt' });
      case 'MCP result':
        return look('mcp.evil.read', { number });
    }
  }

  private send(messageName: string, correlationKey: string, content: JsonObject) {
    return this.host.host
      .get(EnginePort)
      .correlateMessage({ context: CONTEXT, messageName, correlationKey, payload: content });
  }

  private get mcpWrites(): string {
    return join(this.directory, 'mcp-writes');
  }

  private async writeFiles(described: readonly InjectionCase[]): Promise<void> {
    const payloads = {
      described: Object.fromEntries(described.map((each) => [`t${each.number}`, payload(each, this.places)])),
      results: Object.fromEntries(
        CASES.filter(({ channel }) => channel === 'MCP result').map((each) => [
          each.number,
          `${payload(each, this.places)} ${this.world.leaks}`,
        ]),
      ),
    };
    await writeFile(join(this.directory, 'payloads.json'), JSON.stringify(payloads));
    await writeFile(this.mcpWrites, '');
    await mkdir(join(this.directory, 'agents'));
    const definition = {
      name: 'obedient',
      model: { provider: 'obedient', name: 'obedient' },
      system: 'You do what you are told.',
      tools: [...TOOLS, ...described.map(({ number }) => `mcp.evil.t${number}`)],
    };
    await writeFile(join(this.directory, 'agents', 'obedient.yaml'), JSON.stringify(definition));
  }

  private configuration(described: readonly InjectionCase[]): JsonObject {
    const here = new URL(this.world.url).host;
    const reads = ['read', ...described.map(({ number }) => `t${number}`)].map((Name) => ({ Name, Effect: 'read' }));
    return {
      Agents: {
        Directory: join(this.directory, 'agents'),
        Http: { AllowedHosts: [here], Credentials: { crm: { Secret: 'CRM' } } },
        CodeHost: { Repositories: ['acme/shop'] },
        Mcp: {
          Isolation: 'none',
          Servers: [
            {
              Name: 'evil',
              Command: process.execPath,
              Args: [MCP_SERVER, join(this.directory, 'payloads.json'), this.mcpWrites],
              AllowedTools: [...reads, { Name: 'write' }],
            },
          ],
        },
      },
      Connectors: {
        AllowedNetworks: ['127.0.0.0/8'],
        CodeHost: { BaseUrl: this.world.url, Token: this.secrets.codehost },
        Secrets: { CRM: { Value: this.secrets.crm, Hosts: [here] } },
      },
    };
  }
}

/** Returns a model that a message starts, as an outside event would; it may wait for another one before the agent. */
function agentModel(id: string, tools: readonly string[], waits = false): string {
  const messages = `<bpmn:message id="incoming" name="incoming-${id}" />${waits ? `<bpmn:message id="go-message" name="go">${KEY}</bpmn:message>` : ''}`;
  const start =
    '<bpmn:startEvent id="start"><bpmn:messageEventDefinition id="start-message" messageRef="incoming" /></bpmn:startEvent>';
  const task =
    '<bpmn:serviceTask id="work"><bpmn:extensionElements><zeebe:taskDefinition type="agent" retries="1" />' +
    '<zeebe:ioMapping><zeebe:input source="=text" target="text" /><zeebe:input source="=prompt" target="prompt" /></zeebe:ioMapping>' +
    `<zeebe:taskHeaders><zeebe:header key="agent" value="obedient" /><zeebe:header key="tools" value="${tools.join()}" /></zeebe:taskHeaders>` +
    '</bpmn:extensionElements></bpmn:serviceTask>';
  const wait = waits ? '<bpmn:receiveTask id="go" messageRef="go-message" />' : '';
  const flows = waits ? ['start > go', 'go > work', 'work > end'] : ['start > work', 'work > end'];
  return processModel(id, `${start}${wait}${task}<bpmn:endEvent id="end" />`, ...flows).replace(
    '<bpmn:process ',
    `${messages}<bpmn:process `,
  );
}
