import type { JsonObject } from '@countersign/core';
import { processModel, type TestHost } from '@countersign/testing';
import { randomBytes } from 'node:crypto';
import { cp, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectorTask, type Service } from '../connectors/connectors.spec.support.js';
import { buildEvent, post, SECRET, buildSignedRequest } from '../event-ingress/ingress.spec.support.js';
import { receivingModel } from '../messages/messages.spec.support.js';

export const POLICIES_DIRECTORY = fileURLToPath(
  new URL('../../../packages/plugins/policy-cedar/policies/', import.meta.url),
);

/** Quotes a text for Cedar, with its escape sequences. */
const quoteCedarString = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** Writes policies with hostile text into a directory, and returns the configuration of a server that uses them. */
export async function createHostileConfiguration(
  directory: string,
  service: Service,
  hostileText: string,
): Promise<JsonObject> {
  await cp(POLICIES_DIRECTORY, directory, { recursive: true });
  await writeFile(
    join(directory, 'hostile.cedar'),
    `@id("hostile.step") @rationale(${quoteCedarString(hostileText)}) @advice(${quoteCedarString(hostileText)})\npermit (principal is Engine, action == Action::"perform", resource is Step);\n` +
      `@id("hostile.risk") @risk("hostile") @weight("1") @description(${quoteCedarString(hostileText)})\npermit (principal, action == Action::"weighStep", resource is Step);\n`,
  );
  return {
    Policies: { Directory: directory },
    Integrations: { EventIngress: { Enabled: true, Sources: [{ Id: 'shop', Secret: SECRET }] } },
    Connectors: {
      AllowedNetworks: ['127.0.0.1'],
      Notify: {
        Endpoints: [{ Id: 'desk', Url: `${service.url}/hook`, Secret: `whsec_${randomBytes(32).toString('base64')}` }],
        RetryAfter: ['PT24H'],
      },
    },
  };
}

/** Sends hostile data from outside: events with hostile keys and payloads, and refusals of an endpoint. */
export async function createHostileExternalData(
  countersign: TestHost,
  service: Service,
  hostileText: string,
): Promise<void> {
  service.respond = (_, response) =>
    void response
      .writeHead(500, hostileText.replaceAll(/[^\x20-\x7e]/g, '').slice(0, 200), { 'content-type': 'text/html' })
      .end(hostileText);
  const viewer = await countersign.client('viewer');
  await countersign.deploy(receivingModel('gate', 'ci.passed'));
  await countersign.deploy(
    processModel(
      'notify',
      `<bpmn:startEvent id="start" />${connectorTask('tell', 'notify-webhook', { endpoint: 'desk', type: 'org.example.released', data: '={}' })}<bpmn:endEvent id="end" />`,
      'start > tell',
      'tell > end',
    ),
  );
  const key = hostileText.slice(0, 200);
  await viewer.startRun({ body: { workflowId: 'gate', inputs: { key } } });
  await viewer.startRun({ body: { workflowId: 'notify' } });
  const agent = new Agent();
  for (const [correlationKey, message] of [
    [key, 'ci.passed'],
    [key, 'ci.failed'],
  ] as const)
    await post(
      `${countersign.url}/webhooks/events`,
      buildSignedRequest(
        buildEvent(correlationKey, message, { title: hostileText, [hostileText.slice(0, 60)]: [hostileText] }),
      ),
      agent,
    );
  agent.destroy();
}
