import { connectorCodehostPlugin } from '@countersign/connector-codehost';
import { connectorHttpPlugin } from '@countersign/connector-http';
import { connectorNotifyPlugin } from '@countersign/connector-notify';
import { modelOpenaiPlugin } from '@countersign/model-openai';
import { outboundHttpPlugin } from '@countersign/outbound-http';
import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntilSettled, startAgentHost, findAgentStep, type AgentHost } from '../agents/agent-host.spec.support.js';
import {
  FORBID_LOCALHOST,
  FORBID_PORT_80,
  writePermissivePolicies,
} from '../agents/permissive-policies.spec.support.js';
import { connectorModel, startService, type Service } from './connectors.spec.support.js';

/** Addresses that the policies forbid, each with another spelling of a URL at the address. */
const FORBIDDEN_ADDRESSES: readonly {
  readonly kind: string;
  readonly rule: string;
  readonly origin: (service: Service) => string;
  readonly spelling: string;
  readonly redirectHost: string;
}[] = [
  {
    kind: 'host',
    rule: FORBID_LOCALHOST,
    origin: ({ url }) => url.replace('127.0.0.1', 'localhost'),
    spelling: '=replace(at, "localhost", "LOCALHOST.") + "/orders"',
    redirectHost: 'localhost',
  },
  {
    kind: 'port',
    rule: FORBID_PORT_80,
    origin: () => 'http://127.0.0.1',
    spelling: '=replace(at, "http:", "HTTP:") + ":0080/orders"',
    // Has no port and comes from a URL without TLS.
    redirectHost: 'a.example',
  },
];

for (const { kind: caseName, rule, origin, spelling, redirectHost } of FORBIDDEN_ADDRESSES)
  describe(`policies that forbid calls by ${caseName}`, () => {
    let directory: string;
    let service: Service;
    let test: AgentHost;
    /** Origin that the policy forbids. */
    let forbiddenOrigin: string;

    before(async () => {
      directory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-hosts-'));
      service = await startService();
      forbiddenOrigin = origin(service);
      const definition = { model: { provider: 'openai', name: 'm', timeout: 'PT20S' } };
      test = await startAgentHost({
        agents: {
          outside: { definition, script: { rules: [{ answer: { text: 'This language model must not be called.' } }] } },
          inside: { script: { rules: [{ answer: { text: 'Done.' } }] } },
        },
        plugins: [
          outboundHttpPlugin,
          connectorHttpPlugin,
          connectorCodehostPlugin,
          connectorNotifyPlugin,
          modelOpenaiPlugin,
        ],
        configuration: {
          ...(await writePermissivePolicies(directory, rule)),
          Connectors: {
            AllowedNetworks: ['127.0.0.1', '::1'],
            Http: { AllowedHosts: ['127.0.0.1:*', 'localhost:*'] },
            CodeHost: { BaseUrl: `${forbiddenOrigin}/api`, Token: 'token-of-the-code-host' },
            Notify: {
              Endpoints: [
                { Id: 'desk', Url: `${forbiddenOrigin}/hook`, Secret: `whsec_${randomBytes(32).toString('base64')}` },
                { Id: 'chat', Kind: 'slack', Url: `${forbiddenOrigin}/services` },
              ],
            },
          },
          Models: { OpenAI: { BaseUrl: `${forbiddenOrigin}/v1`, ApiKey: 'sk-test-0123456789', MaxRetries: 0 } },
        },
      });
    });

    beforeEach(() => {
      service.calls.splice(0);
      service.respond = (_, response) => response.end();
    });

    after(async () => {
      await test.close();
      await service.close();
      await rm(directory, { recursive: true, force: true });
    });

    let modelCount = 0;
    /** Runs a connector step and returns its error code, or `undefined` if the step has completed. */
    const runAndGetErrorCode = async (
      jobType: string,
      inputs: Readonly<Record<string, string>>,
    ): Promise<string | undefined> => {
      const workflowId = `hosts-${(modelCount += 1)}`;
      await test.deploy(connectorModel(workflowId, 'work', jobType, inputs));
      const { runId } = await test.operator.startRun({ body: { workflowId, inputs: { at: forbiddenOrigin } } });
      return findAgentStep(await waitUntilSettled(test.operator, runId))?.error?.code;
    };

    const comment = { repository: 'ada/shop', number: '=7', body: 'Hi.' };
    for (const [kind, jobType, inputs] of [
      ['an HTTP call', 'http', { url: '=at + "/orders"' }],
      ['an HTTP call with another spelling', 'http', { url: spelling }],
      ['an HTTP call that may be redirected to it', 'http', { url: '', redirectHosts: `=["${redirectHost}"]` }],
      ['a comment at the code host', 'codehost.comment', comment],
      [
        'a status at the code host',
        'codehost.status',
        { repository: 'ada/shop', sha: 'a'.repeat(40), state: 'success', context: 'ci' },
      ],
      [
        'a pull request at the code host',
        'codehost.pullRequest',
        { repository: 'ada/shop', head: 'topic', base: 'main', title: 'T' },
      ],
      ['a webhook', 'notify-webhook', { endpoint: 'desk', type: 'org.example.released' }],
      ['a message to Slack', 'notify-slack', { endpoint: 'chat', text: 'Released.' }],
    ] as const) {
      it(`should deny a step that would call the forbidden address: ${kind}`, async () => {
        const stringInputs = inputs as Readonly<Record<string, string>>;
        const inputsWithUrl =
          stringInputs['url'] === '' ? { ...stringInputs, url: `${service.url}/orders` } : stringInputs;
        expect(await runAndGetErrorCode(jobType, inputsWithUrl)).to.equal('policy_denied');
        expect(service.calls).to.deep.equal([]);
      });
    }

    for (const [kind, element, type] of [
      ['an end event', 'endEvent', 'http'],
      ['a throw event', 'intermediateThrowEvent', 'http'],
      ['an end event that notifies', 'endEvent', 'notify-webhook'],
    ] as const) {
      it(`should deny an event that would call the forbidden address: ${kind}`, async () => {
        // given
        const workflowId = `events-${(modelCount += 1)}`;
        const inputs: Readonly<Record<string, string>> =
          type === 'http' ? { url: `${forbiddenOrigin}/stolen` } : { endpoint: 'desk', type: 't' };
        await test.deploy(connectorModel(workflowId, 'work', type, inputs, element));

        // when
        const { runId } = await test.operator.startRun({ body: { workflowId } });
        const { policyDecision, error } = findAgentStep(await waitUntilSettled(test.operator, runId)) ?? {};

        // then
        expect([error?.code, policyDecision?.decision]).to.deep.equal(['policy_denied', 'deny']);
        expect(service.calls).to.deep.equal([]);
      });
    }

    it('should deny an agent whose language model is at the forbidden address, and no other agent', async () => {
      const run = async (agent: string) => {
        const { runId } = await test.start({ workflowId: `wf-${agent}`, headers: { agent, prompt: 'Sort it.' } });
        return findAgentStep(await waitUntilSettled(test.operator, runId))?.error?.code;
      };
      expect(await run('outside')).to.equal('policy_denied');
      expect(await run('inside')).to.equal(undefined);
      expect(service.calls).to.deep.equal([]);
    });

    it('should allow calls to other addresses, and leave invalid addresses and endpoints to the connector', async () => {
      expect(await runAndGetErrorCode('http', { url: `${service.url}/orders` })).to.equal(undefined);
      expect(service.calls.map(({ path }) => path)).to.deep.equal(['/orders']);
      expect(await runAndGetErrorCode('http', { url: 'localhost' })).to.equal('connector_input_invalid');
      expect(await runAndGetErrorCode('notify-webhook', { endpoint: 'unknown', type: 't' })).to.equal(
        'notify_endpoint_unknown',
      );
    });

    it('should refuse a redirect to the forbidden address', async () => {
      service.respond = (_, response) => response.writeHead(302, { location: `${forbiddenOrigin}/stolen` }).end();
      expect(await runAndGetErrorCode('http', { url: `${service.url}/orders` })).to.equal('outbound_redirect_refused');
      expect(service.calls.map(({ path }) => path)).to.deep.equal(['/orders']);
    });

    it('should be evaluated on past requests in a policy trial', async () => {
      // given
      expect(await runAndGetErrorCode('http', { url: `${service.url}/orders` })).to.equal(undefined);
      const admin = await test.client('admin');
      const { files } = await admin.getPolicy();
      const { port } = new URL(service.url);
      const draft = `@id("neither") forbid (principal, action == Action::"perform", resource) when { context.hosts.contains("127.0.0.1") && context.ports == [${port}] };`;

      // when
      const { changed, problems } = await admin.tryPolicy({
        body: { policies: { ...files, 'draft.cedar': draft }, runs: { workflowId: `hosts-${modelCount}` } },
      });

      // then
      expect(problems).to.deep.equal([]);
      expect(changed.map(({ elementId, after }) => [elementId, after.decision])).to.deep.equal([['work', 'deny']]);
    });
  });
