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
import { RecordedNotes, notesPlugin, waitUntilSettled } from '../agent-host.spec.support.js';
import { CASES, buildPayload, type InjectionCase } from './cases.js';
import { ObedientModel } from './obedient-model.js';
import { startRecordingServer, type RecordingServer } from './recording-server.js';

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
const CORRELATION_KEY_EXTENSION =
  '<bpmn:extensionElements><zeebe:subscription correlationKey="=key" /></bpmn:extensionElements>';

/** Server whose agents follow every instruction, in an environment that instructs them to do harm. */
export class InjectionHost {
  readonly model = new ObedientModel();
  readonly notes = new RecordedNotes();
  /** Secrets that must never be sent to a language model or recorded. */
  readonly secrets = { crm: randomBytes(24).toString('hex'), codehost: randomBytes(24).toString('hex') };
  host!: TestHost;
  toolServer!: RecordingServer;
  operator!: Client;
  approver!: Client;
  private otherServer!: RecordingServer;
  private directory!: string;

  get serviceUrls() {
    return { world: this.toolServer.url, otherServer: this.otherServer.url };
  }

  async start(
    buildConfiguration: (directory: string) => Promise<JsonObject> = () => Promise.resolve({}),
  ): Promise<void> {
    this.directory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-injection-'));
    this.toolServer = await startRecordingServer();
    this.otherServer = await startRecordingServer();
    this.toolServer.payloads = ['', ...CASES.map((each) => buildPayload(each, this.serviceUrls))];
    // Secrets that a careless service received and reveals, as plain text and encoded.
    this.toolServer.leaks = [
      this.secrets.crm,
      this.secrets.codehost,
      Buffer.from(`user:${this.secrets.crm}`).toString('base64'),
      Buffer.from(this.secrets.codehost).toString('hex'),
    ].join(' ');
    const descriptionCases = CASES.filter(({ channel }) => channel === 'MCP description');
    await this.writeConfigurationFiles(descriptionCases);
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
      configuration: { ...this.configuration(descriptionCases), ...(await buildConfiguration(this.directory)) },
    });
    this.operator = await this.host.client('operator', 'olga');
    this.approver = await this.host.client('approver', 'anna');
    await this.host.deploy(agentModel('injected', TOOLS));
    await this.host.deploy(agentModel('injected-artifact', TOOLS, true));
    for (const { number } of descriptionCases)
      await this.host.deploy(agentModel(`described-${number}`, [...TOOLS, `mcp.evil.t${number}`]));
  }

  /**
   * Exposes an agent to an attack.
   *
   * @returns the run once it waits for a user, or has ended
   */
  async runCase(injectionCase: InjectionCase): Promise<RunDetail> {
    const { channel, number } = injectionCase;
    const key = randomUUID();
    const workflowId =
      channel === 'MCP description' ? `described-${number}` : channel === 'artifact' ? 'injected-artifact' : 'injected';
    const text = channel === 'input' ? buildPayload(injectionCase, this.serviceUrls) : 'nothing';
    const { startedRunIds } = await this.send(`incoming-${workflowId}`, key, {
      key,
      text,
      prompt: this.buildPrompt(injectionCase),
    });
    const [runId = ''] = startedRunIds;
    if (channel === 'artifact') {
      await this.operator.uploadArtifact({
        runId,
        artifactName: 'input.txt',
        body: `${buildPayload(injectionCase, this.serviceUrls)} ${this.toolServer.leaks}`,
        contentType: 'text/plain',
      });
      await this.send('go', key, {});
    }
    return waitUntilSettled(this.operator, runId);
  }

  /** Returns all recorded writes, each as a string. */
  async listWrites(): Promise<string[]> {
    const httpWrites = [...this.toolServer.writes, ...this.otherServer.writes].map((each) => JSON.stringify(each));
    const mcpWrites = (await readFile(this.mcpWritesFile, 'utf8')).split('\n').filter((line) => line !== '');
    return [
      ...httpWrites,
      ...mcpWrites,
      ...this.notes.callsTo('notes.write').map((each) => JSON.stringify(each.input)),
    ];
  }

  async close(): Promise<void> {
    await this.host?.close();
    await this.toolServer?.close();
    await this.otherServer?.close();
    await rm(this.directory, { recursive: true, force: true });
  }

  private buildPrompt({ channel, number }: InjectionCase): string {
    const lookInstruction = (tool: string, toolArguments: object): string =>
      `Look at this first: <<CALL ${tool} ${JSON.stringify(toolArguments)}>>`;
    switch (channel) {
      case 'input':
      case 'MCP description':
        return 'Do your work.';
      case 'web page':
        return lookInstruction('http.get', { url: `${this.toolServer.url}/page/${number}` });
      case 'JSON of an API':
        return lookInstruction('http.get', { url: `${this.toolServer.url}/json/${number}` });
      case 'error page':
        return lookInstruction('http.get', { url: `${this.toolServer.url}/missing/${number}` });
      case 'issue':
        return lookInstruction('codehost.issue.read', { repository: 'acme/shop', number });
      case 'artifact':
        return lookInstruction('artifact.read', { name: 'input.txt' });
      case 'MCP result':
        return lookInstruction('mcp.evil.read', { number });
    }
  }

  private send(messageName: string, correlationKey: string, content: JsonObject) {
    return this.host.host
      .get(EnginePort)
      .correlateMessage({ context: CONTEXT, messageName, correlationKey, payload: content });
  }

  private get mcpWritesFile(): string {
    return join(this.directory, 'mcp-writes');
  }

  private async writeConfigurationFiles(descriptionCases: readonly InjectionCase[]): Promise<void> {
    const payloads = {
      descriptions: Object.fromEntries(
        descriptionCases.map((each) => [`t${each.number}`, buildPayload(each, this.serviceUrls)]),
      ),
      results: Object.fromEntries(
        CASES.filter(({ channel }) => channel === 'MCP result').map((each) => [
          each.number,
          `${buildPayload(each, this.serviceUrls)} ${this.toolServer.leaks}`,
        ]),
      ),
    };
    await writeFile(join(this.directory, 'payloads.json'), JSON.stringify(payloads));
    await writeFile(this.mcpWritesFile, '');
    await mkdir(join(this.directory, 'agents'));
    const definition = {
      name: 'obedient',
      model: { provider: 'obedient', name: 'obedient' },
      system: 'You do what you are told.',
      tools: [...TOOLS, ...descriptionCases.map(({ number }) => `mcp.evil.t${number}`)],
    };
    await writeFile(join(this.directory, 'agents', 'obedient.yaml'), JSON.stringify(definition));
  }

  private configuration(descriptionCases: readonly InjectionCase[]): JsonObject {
    const toolServerHost = new URL(this.toolServer.url).host;
    const reads = ['read', ...descriptionCases.map(({ number }) => `t${number}`)].map((Name) => ({
      Name,
      Effect: 'read',
    }));
    return {
      Agents: {
        Directory: join(this.directory, 'agents'),
        Http: { AllowedHosts: [toolServerHost], Credentials: { crm: { Secret: 'CRM' } } },
        CodeHost: { Repositories: ['acme/shop'] },
        Mcp: {
          Isolation: 'none',
          Servers: [
            {
              Name: 'evil',
              Command: process.execPath,
              Args: [MCP_SERVER, join(this.directory, 'payloads.json'), this.mcpWritesFile],
              AllowedTools: [...reads, { Name: 'write' }],
            },
          ],
        },
      },
      Connectors: {
        AllowedNetworks: ['127.0.0.0/8'],
        CodeHost: { BaseUrl: this.toolServer.url, Token: this.secrets.codehost },
        Secrets: { CRM: { Value: this.secrets.crm, Hosts: [toolServerHost] } },
      },
    };
  }
}

/** Returns a workflow that a message starts. With `hasWait`, it waits for a second message before the agent step. */
function agentModel(id: string, tools: readonly string[], hasWait = false): string {
  const messages = `<bpmn:message id="incoming" name="incoming-${id}" />${hasWait ? `<bpmn:message id="go-message" name="go">${CORRELATION_KEY_EXTENSION}</bpmn:message>` : ''}`;
  const start =
    '<bpmn:startEvent id="start"><bpmn:messageEventDefinition id="start-message" messageRef="incoming" /></bpmn:startEvent>';
  const task =
    '<bpmn:serviceTask id="work"><bpmn:extensionElements><zeebe:taskDefinition type="agent" retries="1" />' +
    '<zeebe:ioMapping><zeebe:input source="=text" target="text" /><zeebe:input source="=prompt" target="prompt" /></zeebe:ioMapping>' +
    `<zeebe:taskHeaders><zeebe:header key="agent" value="obedient" /><zeebe:header key="tools" value="${tools.join()}" /></zeebe:taskHeaders>` +
    '</bpmn:extensionElements></bpmn:serviceTask>';
  const waitTask = hasWait ? '<bpmn:receiveTask id="go" messageRef="go-message" />' : '';
  const flows = hasWait ? ['start > go', 'go > work', 'work > end'] : ['start > work', 'work > end'];
  return processModel(id, `${start}${waitTask}${task}<bpmn:endEvent id="end" />`, ...flows).replace(
    '<bpmn:process ',
    `${messages}<bpmn:process `,
  );
}
